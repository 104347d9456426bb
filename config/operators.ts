import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashesOf } from '../domain/accounts/token/credentials.ts';
import type { Env } from './env.ts';

export interface Operators {
  /** Who sends this header of HTTP Basic, if an operator does. Throws `unavailable` when busy. */
  nameFrom(authorization: string | undefined): Promise<string | undefined>;
}

export const operatorRefusal = {
  challenge: 'Basic realm="Operators", charset="UTF-8"',
  text: 'Sign in as an operator (OPERATORS, or OPERATOR_USER and OPERATOR_PASSWORD).\n',
};

/** A hash takes a third of a second of all cores; Prometheus asks every few seconds. */
const REMEMBERED = { max: 100, ttl: 5 * 60_000 };

export function createOperators(
  { operators, operator }: Pick<Env, 'operators' | 'operator'>,
  matching = hashesOf,
) {
  const checks = new LRUCache<string, Promise<boolean>>(REMEMBERED);
  const remember = (credentials: string, check: Promise<boolean>) => {
    const forget = () => void checks.delete(credentials);
    checks.set(credentials, check);
    check.then((isTrue) => isTrue || forget(), forget);
    return check;
  };
  const isAnOperator = async (name: string, password: string) => {
    const given = digestOf(`${name}:${password}`);
    if (operators === null)
      return operator !== null && timingSafeEqual(given, digestOf(basicText(operator)));
    const key = given.toString('base64');
    return checks.get(key) ?? remember(key, isHashed(operators, name, password, matching));
  };
  return {
    async nameFrom(authorization = '') {
      const [scheme, encoded = ''] = authorization.split(' ');
      const text = Buffer.from(encoded, 'base64').toString('utf8');
      const [, name, password] = /^([^:]*):(.*)$/s.exec(text) ?? [];
      if (scheme?.toLowerCase() !== 'basic' || name === undefined) return undefined;
      return (await isAnOperator(name, password!)) ? name : undefined;
    },
  } satisfies Operators;
}

export function basicAuthorization(operator: Env['operator']): string {
  return `Basic ${Buffer.from(operator ? basicText(operator) : ':').toString('base64')}`;
}

const basicText = ({ user, password }: NonNullable<Env['operator']>) => `${user}:${password}`;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** Takes as long for a name that nobody has. */
async function isHashed(
  operators: ReadonlyMap<string, string>,
  name: string,
  password: string,
  matching: typeof hashesOf,
) {
  const known = operators.get(name);
  const [anyHash] = operators.values();
  const hashes = await matching(password, [known ?? anyHash!]);
  return known !== undefined && hashes.has(known);
}
