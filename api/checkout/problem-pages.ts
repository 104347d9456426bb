import type { ErrorRequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import type { ProblemCode } from '../../domain/problems.ts';
import { noteProblem } from '../reply.ts';
import { assetsOf, sendPage } from './page.ts';

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
    sendPage(response.status(status).set(headers), 'problem', shown);
  };
}
