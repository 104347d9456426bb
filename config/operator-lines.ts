import { isBearable } from '../domain/accounts/token/credentials.ts';
import { SetupError } from './setup-error.ts';

export const operatorName = /^[A-Za-z0-9._@-]{1,100}$/;

/** As `hashPassword` makes it. */
const passwordHash = /^argon2id(\$[1-9]\d{0,6}){3}\$[\w-]{22}\$[\w-]{43}$/;

/** Null: there are no lines. Lines that begin with # are comments. Throws a `SetupError`. */
export function operatorsIn(text: string): ReadonlyMap<string, string> | null {
  const lines = text.split(/\r?\n/).map((line, n) => ({ line: line.trim(), number: n + 1 }));
  const operators = new Map<string, string>();
  for (const { line, number } of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [name = '', hash = ''] = line.split(':');
    const problem = problemOf(name, hash, operators);
    if (problem) throw new SetupError(`OPERATORS is not right: line ${number} ${problem}.`);
    operators.set(name, hash);
  }
  return operators.size === 0 ? null : operators;
}

function problemOf(
  name: string,
  hash: string,
  operators: ReadonlyMap<string, string>,
): string | undefined {
  if (!operatorName.test(name) || !passwordHash.test(hash)) return 'is not <name>:<hash>';
  if (operators.has(name)) return `names ${name} again`;
  if (!isBearable(hash))
    return `has a hash that costs too much to check: npm run ops -- operator ${name} makes another`;
  return undefined;
}
