import type { ErrorRequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import type { ProblemCode } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import { assetsOf, sendView } from './view.ts';

interface Words {
  title: string;
  message: string;
}

const unreadable: Words = {
  title: 'This form could not be read',
  message: 'Go back, load the page anew and send it again. Nothing was charged.',
};

const words: Partial<Record<ProblemCode, Words>> = {
  validation_failed: unreadable,
  unsupported_media_type: unreadable,
  payload_too_large: unreadable,
  rate_limited: {
    title: 'Too many tries',
    message: 'Wait a minute, then try again. Nothing was charged.',
  },
  https_required: {
    title: 'This address needs https',
    message: 'Open it again with https:// in front, so that nobody on the way can read along.',
  },
  unavailable: {
    title: 'We will be right back',
    message:
      'This page cannot be shown at the moment. ' +
      'Your payment is not lost: reload the page in a minute.',
  },
};

/** A visit over the limit of its network. */
const busy: Words = {
  title: 'Many people are here at once',
  message:
    'This page loads again by itself within a minute: please leave it open. ' +
    'If you have paid, your payment is not lost.',
};

const ourFault: Words = {
  title: 'Something went wrong on our side',
  message: 'Your payment is not lost. Reload the page in a minute, or ask the merchant.',
};

/** What a payer sees in place of a view that fails. `missing` names the kind of view. */
export function problemViews(
  context: Context,
  missing: 'checkout' | 'payment link',
): ErrorRequestHandler {
  const notFound = {
    title: `There is no such ${missing}`,
    message: 'Check that the address is complete, or ask the merchant for a new payment link.',
  };
  return (error, request, response, _next) => {
    const { code, status, headers } = logProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const isBusy = code === 'rate_limited' && request.method === 'GET';
    // Browsers load the page again by themselves, without a script.
    if (isBusy) response.set('Refresh', headers['Retry-After']);
    const shown = {
      ...(code === 'not_found' ? notFound : isBusy ? busy : (words[code] ?? ourFault)),
      assets: assetsOf(context),
      requestId: response.locals.requestId,
    };
    sendView(response.status(status).set(headers), 'problem', shown);
  };
}
