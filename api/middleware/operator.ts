import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import type { Env } from '../../config/env.ts';
import { networkOf, throttle } from './limit.ts';

/**
 * Requires the operator credentials of the environment; where there are none, every request is
 * refused. Wrong credentials count like failed sign-ins from the same address.
 */
export function requireOperator(context: Context): RequestHandler {
  return async (request, response, next) => {
    const network = networkOf(request.ip ?? '');
    const { authorization } = request.headers;
    if (authorization !== undefined) await throttle(context, 'signInAddress', network);
    if (isOperator(context.env.operator, authorization)) {
      await context.limits.giveBack('signInAddress', network);
      return next();
    }
    response.status(401).set('WWW-Authenticate', 'Basic realm="Operators", charset="UTF-8"');
    response
      .type('text')
      .send('Sign in with the operator credentials (OPERATOR_USER, OPERATOR_PASSWORD).\n');
  };
}

function isOperator(operator: Env['operator'], authorization = ''): boolean {
  const [scheme, encoded = ''] = authorization.split(' ');
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return (
    operator !== null &&
    scheme?.toLowerCase() === 'basic' &&
    isSame(given, `${operator.user}:${operator.password}`)
  );
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
