import type { RequestHandler } from 'express';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import type { Standing } from '../../config/limits/limit-window.ts';
import type { RateLimitName } from '../../config/limits/rate-limits.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { KnownCredential } from './authenticate.ts';

/** A public key counts for each client network. */
export function takeFor(
  { limits }: Pick<Context, 'limits'>,
  { kind, subjectId }: KnownCredential,
  address: string,
): Promise<Standing> {
  switch (kind) {
    case 'secret':
      return limits.take('secretKey', subjectId);
    case 'member':
      return limits.take('userToken', subjectId);
    case 'public':
      return limits.take('publicKey', `${subjectId} ${networkOf(address)}`);
  }
}

/**
 * Throws 429 `rate_limited` when no point is left. A limit of failures gets its point back by
 * `context.limits.giveBack` after a success.
 */
export async function throttle(
  { limits }: Pick<Context, 'limits'>,
  name: RateLimitName,
  subject: string,
): Promise<void> {
  const standing = await limits.take(name, subject);
  if (!standing.allowed) throw limited(standing);
}

/** Throws 429 where its payer was mailed by hand as often as a day allows. */
export async function throttlePayerMail(
  { limits }: Pick<Context, 'limits'>,
  { id }: { id: string },
): Promise<void> {
  const standing = await limits.take('payerMail', id);
  const said = `This was mailed ${standing.limit} times within a day. Mail it again tomorrow.`;
  if (!standing.allowed) throw limited(standing, said);
}

/**
 * Throws 429 for a subject that failed too often; `take` counts each failure afterwards, so that
 * successes are never refused. Bounds work, not guessing: of many at once, all are made.
 */
export function refuseFailing(
  { limits }: Pick<Context, 'limits'>,
  name: RateLimitName,
  subject: string,
): void {
  const standing = limits.spent(name, subject);
  if (standing) throw limited(standing);
}

/** Counts for each value of `parameter`, before anything is read. */
export function throttleNetwork(
  context: Pick<Context, 'limits'>,
  name: RateLimitName,
  parameter?: string,
): RequestHandler {
  return async (request, _response, next) => {
    const network = networkOf(request.ip ?? '');
    await throttle(context, name, parameter ? `${request.params[parameter]} ${network}` : network);
    next();
  };
}

export function limited(standing: Standing, said?: string): Problem {
  const wait = secondsOf(standing);
  const message = said ?? `Too many requests. Try again in ${inWords(wait)}.`;
  return new Problem('rate_limited', message, {
    headers: { 'Retry-After': String(wait), ...limitHeaders(standing) },
  });
}

/** In whole minutes from two on: `15 minutes`. */
function inWords(seconds: number): string {
  const isShort = seconds < 120;
  const count = isShort ? seconds : Math.ceil(seconds / 60);
  const unit = isShort ? 'second' : 'minute';
  return count.toLocaleString('en', { style: 'unit', unit, unitDisplay: 'long' });
}

/** `X-RateLimit-Reset` is the seconds until the window ends. */
export function limitHeaders(standing: Standing): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(standing.limit),
    'X-RateLimit-Remaining': String(standing.remaining),
    'X-RateLimit-Reset': String(secondsOf(standing)),
  };
}

function secondsOf({ resetMs }: Standing): number {
  return Math.max(1, Math.ceil(resetMs / 1_000));
}
