import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Context } from '../../config/context.ts';

/** The folder of the templates, the style sheet and the script. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** With these a text is shown in another order than it is written: 12 as 21, gpj.exe as exe.jpg. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/** Everything a template shows with `<%= %>` is escaped, and in the order it is written. */
const views = new Eta({
  views: viewsDir,
  cache: true,
  autoFilter: true,
  filterFunction: (value) => String(value).replace(reordering, ''),
});

const self = ["'self'"];
const none = ["'none'"];

/** Headers of every view for payers: it runs nothing from other hosts, and no site can frame it. */
export const viewSecurity = securityOf({ formAction: none });

/** The same for a view with a form, which can be sent to this service only. */
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
        imgSrc: self,
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

/** Renders a template with its data, and sends it so that no cache stores it. */
export function sendView(
  response: Response,
  template: 'pay' | 'link' | 'problem',
  shown: object,
): void {
  response
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(views.render(`./${template}.eta`, shown));
}
