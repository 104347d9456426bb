import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Context } from '../../config/context.ts';

/** Where the templates are, and what they load. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Everything a template shows with `<%= %>` is escaped. */
const views = new Eta({ views: viewsDir, cache: true });

const self = ["'self'"];
const none = ["'none'"];

/** What every page for a payer is sent with: nothing from elsewhere runs in it, and nobody frames it. */
export const pageSecurity = securityOf({ formAction: none });

/** The same for a page with a form, which goes nowhere but to ourselves. */
export const formSecurity = securityOf({ formAction: self });

function securityOf({ formAction }: { formAction: string[] }): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: self,
        scriptSrc: self,
        connectSrc: self,
        baseUri: none,
        formAction,
        frameAncestors: none,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  }) as RequestHandler;
}

/** Address of the style sheet and the script. */
export function assetsOf({ env }: Context): string {
  return `${env.basePath}/pay/assets`;
}

/** Renders a template with what it shows, and sends it so that nobody keeps it. */
export function sendPage(
  response: Response,
  template: 'pay' | 'link' | 'problem',
  shown: object,
): void {
  response
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(views.render(`./${template}.eta`, shown));
}
