import { LRUCache } from 'lru-cache';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { refuseFailing } from './limit.ts';

/** Hashes of those valid lately. One beyond them may be refused for its network. */
const valid = new LRUCache<string, true>({ maxSize: 50_000, sizeCalculation: () => 1 });

/** A session's or refresh token, with the address of whoever shows it. */
export type ShownSecret = { secret: string; address: string };

/**
 * Counts a secret that stands for nothing. Throws 429 without a look-up where too many came from
 * its network, except for a secret that was valid lately.
 */
export async function lookUpSecret<Found>(
  context: Pick<Context, 'limits'>,
  { secret, address }: ShownSecret,
  lookUp: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const [sha256, network] = [sha256Of(secret), networkOf(address)];
  if (!valid.has(sha256)) refuseFailing(context, 'unknownBearer', network);
  const found = await lookUp();
  if (found !== undefined) {
    valid.set(sha256, true);
    return found;
  }
  valid.delete(sha256);
  await context.limits.take('unknownBearer', network);
  return undefined;
}

/** Knows a secret that was just given out. */
export function rememberSecret(secret: string): void {
  valid.set(sha256Of(secret), true);
}
