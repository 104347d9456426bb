import { LRUCache } from 'lru-cache';
import type { SealedFor, Vault } from '../domain/shared/vault.ts';

/** Short values alone: secrets that sign every delivery, not payloads that are read once. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED_CHARS = 1_024;

/** The same vault, which opens a value once and has it at hand from then on, for the owner it opened for and nobody else. */
export function rememberingVault(vault: Vault): Vault {
  const opened = new LRUCache<string, string, { sealed: string; owner: SealedFor }>({
    max: MOST_REMEMBERED,
    memoMethod: (_place, _stale, { context: { sealed, owner } }) => vault.open(sealed, owner),
  });
  return {
    seal: vault.seal,
    open(sealed, owner) {
      if (sealed.length > LONGEST_REMEMBERED_CHARS) return vault.open(sealed, owner);
      const { table, row, tenant, mode } = owner;
      return opened.memo(JSON.stringify([table, row, tenant, mode, sealed]), {
        context: { sealed, owner },
      });
    },
  };
}
