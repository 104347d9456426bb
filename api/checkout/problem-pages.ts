import type { ErrorRequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Context } from '../../config/context.ts';
import type { ProblemCode } from '../../domain/problems.ts';
import { noteProblem } from '../reply.ts';
import { views } from './views.ts';

const self = ["'self'"];
const none = ["'none'"];

/** What every page for a payer is sent with: nothing from elsewhere runs in it, and nobody frames it. */
export const pageSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      styleSrc: self,
      scriptSrc: self,
      connectSrc: self,
      baseUri: none,
      formAction: none,
      frameAncestors: none,
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
});

interface Words {
  title: string;
  message: string;
}

const words: Partial<Record<ProblemCode, Words>> = {
  not_found: {
    title: 'There is no such checkout',
    message: 'Check that the address is complete, or ask the merchant for a new payment link.',
  },
  https_required: {
    title: 'This address needs https',
    message: 'Open it again with https:// in front, so that nobody on the way can read along.',
  },
  unavailable: {
    title: 'We will be right back',
    message: 'This page cannot be shown at the moment. Your payment is not lost: reload the page in a minute.',
  },
};

const ourFault: Words = {
  title: 'Something went wrong on our side',
  message: 'Your payment is not lost. Reload the page in a minute, or ask the merchant.',
};

/** What a payer sees when a page cannot be shown: a page, in a person's words. */
export function problemPages(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const { code, status, headers } = noteProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const shown = { ...(words[code] ?? ourFault), assets: assetsOf(context), requestId: response.locals.requestId };
    sendPage(response.status(status).set(headers), views.render('./problem.eta', shown));
  };
}

/** Address of the style sheet and the script. */
export function assetsOf({ env }: Context): string {
  return `${env.basePath}/pay/assets`;
}

export function sendPage(response: Response, html: string): void {
  response.set('Cache-Control', 'no-store').type('html').send(html);
}
