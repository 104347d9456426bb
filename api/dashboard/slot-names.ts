import type { Context } from '../../config/context.ts';
import { providersBySlot } from '../../domain/accounts/connection/connections.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { slots } from '../../domain/shared/slot.ts';
import { sentence } from './format.ts';

/** Names each slot by the provider connected in it, or else by the one that would be. */
export async function slotNames(
  { db, env }: Pick<Context, 'db' | 'env'>,
  reader: Reader,
): Promise<Record<string, string>> {
  const connected = await providersBySlot(db, reader);
  return Object.fromEntries(
    slots.flatMap((slot) => {
      const adapter = connected[slot] ?? env.slots[slot];
      return adapter ? [[slot, sentence(adapter)]] : [];
    }),
  );
}
