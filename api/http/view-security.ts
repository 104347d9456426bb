import type { RequestHandler } from 'express';
import helmet from 'helmet';

export const self = ["'self'"];
const none = ["'none'"];

/** Nothing runs inline or from other hosts, no site frames it. `more`: for its own host. */
export function viewSecurity(
  more: Record<string, string[]>,
  referrer: 'no-referrer' | 'same-origin' = 'no-referrer',
  opener: 'same-origin' | 'same-origin-allow-popups' = 'same-origin',
): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: self,
        imgSrc: self,
        baseUri: none,
        formAction: none,
        frameAncestors: none,
        ...more,
      },
    },
    crossOriginOpenerPolicy: { policy: opener },
    referrerPolicy: { policy: referrer },
    xFrameOptions: { action: 'deny' },
  }) as RequestHandler;
}
