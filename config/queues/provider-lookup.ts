import { LRUCache } from 'lru-cache';
import { providersCalled } from '../../domain/accounts/connection/providers-called.ts';
import { type QueueSpec, queues, type RowQueue } from '../../domain/jobs.ts';
import type { Sql } from '../../domain/shared/sql.ts';

const MAX_KNOWN = 20_000;

export interface ProviderLookup {
  /** Empty where the queue does not share its slots by provider. */
  find(connectionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createProviderLookup(sql: Sql, queue: RowQueue): ProviderLookup {
  if ((queues[queue] as QueueSpec).maxPerProvider === undefined)
    return { find: async () => new Map() };
  const known = new LRUCache<string, string>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  return {
    async find(connectionIds) {
      const unknown = connectionIds.filter((id) => !known.has(id));
      if (unknown.length > 0)
        for (const [id, provider] of await providersCalled(sql, unknown)) known.set(id, provider);
      return new Map(
        connectionIds.flatMap((id) => {
          const provider = known.get(id);
          return provider === undefined ? [] : [[id, provider] as const];
        }),
      );
    },
  };
}
