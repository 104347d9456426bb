import type { ErrorRequestHandler, Request } from 'express';
import type { Context } from '../../config/context.ts';
import type { Problem, ProblemCode } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import { assetsOf, sendView } from './view.ts';

export interface Words {
  title: string;
  message: string;
  /** True: the browser loads the page again by itself, without a script. */
  reloads?: true;
}

export type WordsByCode = Partial<Record<ProblemCode, Words>>;

export function problemView(
  context: Context,
  wordsOf: (problem: Problem, request: Request) => Words,
): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const problem = logProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const words = wordsOf(problem, request);
    if (words.reloads) response.set('Refresh', problem.headers['Retry-After']);
    sendView(response.status(problem.status).set(problem.headers), 'problem', {
      ...words,
      assets: assetsOf(context),
      requestId: response.locals.requestId,
    });
  };
}

/** `missing` names the kind of view. */
export function problemViews(context: Context, missing: 'checkout' | 'payment link') {
  const words: WordsByCode = {
    ...common,
    not_found: {
      title: `There is no such ${missing}`,
      message: 'Check that the address is complete, or ask the merchant for a new payment link.',
    },
  };
  return problemView(context, ({ code }, { method }) =>
    code === 'rate_limited' && method === 'GET' ? busy : (words[code] ?? ourFault),
  );
}

export const needsHttps: Words = {
  title: 'This address needs https',
  message: 'Open it again with https:// in front, so that nobody on the way can read along.',
};

const unreadable: Words = {
  title: 'This form could not be read',
  message: 'Go back, load the page anew and send it again. Nothing was charged.',
};

const common: WordsByCode = {
  validation_failed: unreadable,
  unsupported_media_type: unreadable,
  payload_too_large: unreadable,
  rate_limited: {
    title: 'Too many tries',
    message: 'Wait a minute, then try again. Nothing was charged.',
  },
  https_required: needsHttps,
  unavailable: {
    title: 'We will be right back',
    message:
      'This page cannot be shown at the moment. ' +
      'Your payment is not lost: reload the page in a minute.',
  },
};

const busy: Words = {
  title: 'Many people are here at once',
  message:
    'This page loads again by itself within a minute: please leave it open. ' +
    'If you have paid, your payment is not lost.',
  reloads: true,
};

const ourFault: Words = {
  title: 'Something went wrong on our side',
  message: 'Your payment is not lost. Reload the page in a minute, or ask the merchant.',
};
