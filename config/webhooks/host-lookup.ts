import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** Finds every address of a name, as `dns.lookup` does when it is asked for all. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface HostLookup extends Disposable {
  resolve: Resolve;
}

export interface HostLookupOptions {
  /** Name servers with ports. Absent: the system's. */
  servers?: readonly string[];
  queryMs?: number;
}

const QUERY_MS = 1_500;
const TRIES = 2;
const GIVE_UP_MS = 5_000;

const MAX_CACHED = 1_000;
const MIN_KEPT_S = 1;
const MAX_KEPT_S = 60;
const FAILURE_KEPT_MS = 5_000;

type Found = { addresses: LookupAddress[] } | { error: Error };

/**
 * Resolves names without `dns.lookup`, which waits in one of libuv's four threads: ten silent names
 * would stop the process. A name is asked for once at a time and kept briefly. The system looks up
 * the operator's own hosts, with its hosts file and search domains.
 */
export function createHostLookup(
  operatorsHosts: readonly string[],
  { servers, queryMs = QUERY_MS }: HostLookupOptions = {},
): HostLookup {
  const known = new LRUCache<string, Found>({ max: MAX_CACHED });
  const underWay = new Map<string, Promise<Found>>();
  const resolvers = new Set<Resolver>();

  async function ask(hostname: string): Promise<Found> {
    const resolver = new Resolver({ timeout: queryMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    resolvers.add(resolver);
    const giveUp = setTimeout(() => resolver.cancel(), GIVE_UP_MS);
    const ttl = { ttl: true } as const;
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname, ttl),
      resolver.resolve6(hostname, ttl),
    ]);
    clearTimeout(giveUp);
    resolvers.delete(resolver);
    const records = [...recordsOf(four, 4), ...recordsOf(six, 6)];
    const found: Found =
      records.length > 0
        ? { addresses: records.map(({ address, family }) => ({ address, family })) }
        : { error: failureOf(hostname, [four, six]) };
    const seconds = Math.min(MAX_KEPT_S, ...records.map((record) => record.ttl));
    const keptMs = records.length > 0 ? Math.max(MIN_KEPT_S, seconds) * 1_000 : FAILURE_KEPT_MS;
    known.set(hostname, found, { ttl: keptMs });
    return found;
  }

  function find(hostname: string): Promise<Found> {
    const asked = underWay.get(hostname);
    if (asked) return asked;
    const asking = ask(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asking);
    return asking;
  }

  return {
    resolve(hostname, options, callback) {
      if (operatorsHosts.includes(hostname)) return lookup(hostname, options, callback);
      const answer = (found: Found) =>
        'error' in found ? callback(found.error, []) : callback(null, found.addresses);
      const cached = known.get(hostname);
      if (cached) return void setImmediate(answer, cached);
      void find(hostname).then(answer);
    },
    [Symbol.dispose]() {
      for (const resolver of resolvers) resolver.cancel();
    },
  };
}

type TimedRecord = { address: string; ttl: number };

function recordsOf(result: PromiseSettledResult<TimedRecord[]>, family: 4 | 6) {
  return result.status === 'fulfilled' ? result.value.map((record) => ({ ...record, family })) : [];
}

/** By the codes of `dns.lookup`: the name has no address, or nobody knows just now. */
function failureOf(hostname: string, results: PromiseSettledResult<unknown>[]): Error {
  const codes = results.map((result) => result.status === 'rejected' && result.reason.code);
  const isKnown = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  const code = isKnown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${code} ${hostname}`), { code });
}
