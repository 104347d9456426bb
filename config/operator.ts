import { createHash, timingSafeEqual } from 'node:crypto';
import type { Env } from './env.ts';

export const operatorRefusal = {
  challenge: 'Basic realm="Operators", charset="UTF-8"',
  text: 'Sign in with the operator credentials (OPERATOR_USER, OPERATOR_PASSWORD).\n',
};

/** Never true where the environment has no credentials. */
export function isOperator(operator: Env['operator'], authorization = ''): boolean {
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
