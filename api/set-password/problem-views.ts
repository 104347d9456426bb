import type { ErrorRequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import {
  needsHttps,
  problemView,
  type Words,
  type WordsByCode,
} from '../checkout/problem-views.ts';

const words: WordsByCode = {
  not_found: {
    title: 'There is no such link',
    message: 'Check that the address is complete, or ask an Owner of your business for a new link.',
  },
  invalid_state: {
    title: 'This link no longer works',
    message:
      'It works once, for 24 hours, and only until a newer one is made. ' +
      'If you set your password with it, sign in; if not, ask an Owner for a new link.',
  },
  https_required: needsHttps,
  unavailable: {
    title: 'We will be right back',
    message:
      'Your password was not changed. Go back and try again in a minute; the link is still good.',
  },
};

const unreadable: Words = {
  title: 'This could not be read',
  message: 'Go back and send the form again as it is.',
};

const ourFault: Words = {
  title: 'Something went wrong on our side',
  message: 'Your password was not changed. Go back and try again in a minute.',
};

export function setPasswordProblems(context: Context): ErrorRequestHandler {
  return problemView(
    context,
    ({ code, status }) => words[code] ?? (status < 500 ? unreadable : ourFault),
  );
}
