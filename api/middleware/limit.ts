import type { RequestHandler } from 'express';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import type { Standing } from '../../config/limits/limit-window.ts';
import type { RateLimitName } from '../../config/limits/rate-limits.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { KnownCredential } from './authenticate.ts';

/**
 * Counts a request against its credential: a secret key, a family of user tokens, or a public key
 * as used by one client network.
 */
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
 * Takes a point of a limit that needs no credential. Throws 429 `rate_limited` when there is none
 * left. A limit that counts failures only gets its point back by `context.limits.giveBack` when the
 * attempt succeeds.
 */
export async function throttle(
  { limits }: Pick<Context, 'limits'>,
  name: RateLimitName,
  subject: string,
): Promise<void> {
  const standing = await limits.take(name, subject);
  if (!standing.allowed) throw limited(standing);
}

/**
 * Refuses a subject whose attempts failed too often, before anything is done for it: throws 429.
 * Each failure is counted by `take` afterwards, so that attempts that succeed are never refused for
 * being many. That bounds work, but no guessing: of many attempts at once, all are made.
 */
export function refuseFailing(
  { limits }: Pick<Context, 'limits'>,
  name: RateLimitName,
  subject: string,
): void {
  const standing = limits.spent(name, subject);
  if (standing) throw limited(standing);
}

/** Throttles each client network, for each value of `parameter`, before anything is read. */
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

/** The refusal of a request over its limit. */
export function limited(standing: Standing, said?: string): Problem {
  const wait = secondsOf(standing);
  const seconds = wait === 1 ? 'second' : 'seconds';
  const message = said ?? `Too many requests. Wait ${wait} ${seconds}, then send this one again.`;
  return new Problem('rate_limited', message, {
    headers: { 'Retry-After': String(wait), ...limitHeaders(standing) },
  });
}

/**
 * Headers that show a caller its limit. `X-RateLimit-Reset` is the seconds until the window ends.
 */
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
