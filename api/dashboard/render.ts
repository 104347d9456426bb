import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** The folder of the templates, the style sheet, the script and the icons. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Everything a template shows with `<%= %>` is escaped, in attributes too. */
const eta = new Eta({ views: viewsDir, cache: true });

const self = ["'self'"];
const none = ["'none'"];

/**
 * Views run nothing from other hosts and nothing inline, and no site can frame them. The style
 * sheet of the kit has its small icons as `data:` addresses.
 */
export const dashboardSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      styleSrc: self,
      scriptSrc: self,
      imgSrc: [...self, 'data:'],
      connectSrc: self,
      baseUri: none,
      formAction: self,
      frameAncestors: none,
    },
  },
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
}) as RequestHandler;

/** Renders a template with its data. */
export function render(template: string, shown: object): string {
  return eta.render(`./${template}.eta`, shown);
}
