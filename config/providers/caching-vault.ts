import { LRUCache } from 'lru-cache';
import { isDocument, type SealedFor, type Vault } from '../../domain/shared/vault.ts';

/** Only secrets that sign every delivery, not payloads that are read once. */
const MAX_CACHED = 1_000;
const MAX_CACHED_CHARS = 1_024;

/** Opens a short value once, then returns it from memory, only for the same owner. */
export function cachingVault(vault: Vault): Vault {
  const opened = new LRUCache<string, string, { sealed: string; owner: SealedFor }>({
    max: MAX_CACHED,
    memoMethod: (_key, _stale, { context: { sealed, owner } }) => vault.open(sealed, owner),
  });
  return {
    currentKey: vault.currentKey,
    seal: vault.seal,
    sealDocument: vault.sealDocument,
    open(sealed, owner) {
      if (sealed.length > MAX_CACHED_CHARS || isDocument(sealed)) return vault.open(sealed, owner);
      const { table, row, tenant, mode } = owner;
      return opened.memo(JSON.stringify([table, row, tenant, mode, sealed]), {
        context: { sealed, owner },
      });
    },
  };
}
