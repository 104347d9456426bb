import { LRUCache } from 'lru-cache';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import type { ParsedCredential } from '../../domain/accounts/token/credentials.ts';
import { authenticate, type Caller, isUnauthorized, type KnownCredential } from './authenticate.ts';
import { refuseFailing } from './limit.ts';

export interface Recognised {
  credential: KnownCredential;
  /** As it is now. Throws 401 when it is no longer valid. */
  lookUp: () => Promise<Caller>;
}

/** Some 20 MB; one beyond them costs one more statement. A size: `max` allocates them all. */
const MAX_CACHED = 50_000;

/**
 * Finds it in memory, or in the database where not seen lately. Throws 401 for one that does not
 * exist, and 429 where too many of those came from its network.
 */
export function recogniser(
  context: Context,
): (credential: ParsedCredential, address: string) => Promise<Recognised> {
  const cached = new LRUCache<string, KnownCredential>({
    maxSize: MAX_CACHED,
    sizeCalculation: () => 1,
  });
  const lookUp = async (sha256: string): Promise<Caller> => {
    try {
      return await authenticate(context, { sha256 });
    } catch (error) {
      if (isUnauthorized(error)) cached.delete(sha256);
      throw error;
    }
  };
  const lookUpFrom = async (network: string, sha256: string): Promise<Caller> => {
    refuseFailing(context, 'unknownBearer', network);
    try {
      return await lookUp(sha256);
    } catch (error) {
      if (isUnauthorized(error)) await context.limits.take('unknownBearer', network);
      throw error;
    }
  };
  const load = async (
    { kind, sha256 }: ParsedCredential,
    address: string,
  ): Promise<KnownCredential> => {
    const { mode, subjectId } = await lookUpFrom(networkOf(address), sha256);
    const credential = { kind, sha256, mode, subjectId };
    cached.set(sha256, credential);
    return credential;
  };
  return async (parsed, address) => {
    const credential = cached.get(parsed.sha256) ?? (await load(parsed, address));
    return { credential, lookUp: () => lookUp(parsed.sha256) };
  };
}
