import type { RequestHandler } from 'express';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import { operatorRefusal } from '../../config/operators.ts';
import { throttle } from './limit.ts';

/** Refuses all where there are no credentials. Wrong ones count like failed sign-ins. */
export function requireOperator(context: Context): RequestHandler {
  return async (request, response, next) => {
    const network = networkOf(request.ip ?? '');
    const { authorization } = request.headers;
    if (authorization !== undefined) await throttle(context, 'signInAddress', network);
    const name = await context.operators.nameFrom(authorization);
    if (name !== undefined) {
      response.locals.operator = name;
      await context.limits.giveBack('signInAddress', network);
      return next();
    }
    response.status(401).set('WWW-Authenticate', operatorRefusal.challenge);
    response.type('text').send(operatorRefusal.text);
  };
}
