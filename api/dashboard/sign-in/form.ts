import { Problem } from '../../../domain/shared/problems.ts';
import { type FormScope, isFormOf } from '../session-cookie.ts';

/** Accepts only a path of the dashboard, no other address. */
export function nextOf(next: unknown): string {
  return typeof next === 'string' && /^\/[a-z0-9](?!.*\/\/)[\w/?&=.%@+-]*$/i.test(next)
    ? next.slice(0, 500)
    : '/';
}

export function withNext(path: string, next: unknown): string {
  const after = nextOf(next);
  return after === '/' ? path : `${path}?next=${encodeURIComponent(after)}`;
}

/** Throws 403 for a form that this session was not shown. */
export function requireForm(token: string, csrf: string, ...scopes: readonly FormScope[]): void {
  if (!scopes.some((scope) => isFormOf(token, csrf, scope)))
    throw new Problem('forbidden', 'This form belongs to another session. Reload the page.');
}

/** A field that is missing, or sent several times, is empty. */
export function texts<Name extends string>(body: unknown, names: readonly Name[]) {
  const fields = (body ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    names.map((name) => [name, isText(fields[name]) ? fields[name] : '']),
  ) as Record<Name, string>;
}

/** PostgreSQL stores no NUL, and only well-formed text. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}
