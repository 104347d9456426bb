import {
  type ChargeRequest,
  type CreatedCharge,
  createCharge,
  createCharges,
} from '../domain/payments/charge/create.ts';
import type { Sql } from '../domain/shared/sql.ts';
import { createBatcher } from './batcher.ts';

/** Writes a charge that a credential asks for. Throws where it cannot. */
export type CreateCharge = (request: ChargeRequest) => Promise<CreatedCharge>;

/** A statement holds the locks of so many idempotency keys. */
const MAX_TOGETHER = 100;
/** A statement that waits for another request's key delays those who come later by no more. */
const MAX_WAIT_MS = 250;

/**
 * Charges that are asked for while a statement is under way are written by the next one. Where
 * PostgreSQL refuses one of them it has written none, and each is written alone. An idempotency key
 * that comes twice is written once: the second finds it used.
 */
export function createChargeWriter(db: Sql, maxWaitMs = MAX_WAIT_MS): CreateCharge {
  const together = createBatcher(
    async (requests: readonly ChargeRequest[]) => {
      const seen = new Set<string>();
      const isFirst = requests.map((request) => isFirstOf(request, seen));
      const written = await writeAll(
        db,
        requests.filter((_, n) => isFirst[n]),
      );
      // In an object, because the next statement does not wait for those that are alone.
      return requests.map((request, n) => ({
        created: isFirst[n] ? written.shift()! : createCharge(db, request),
      }));
    },
    MAX_TOGETHER,
    maxWaitMs,
  );
  return async (request) => (await together.load(request)).created;
}

async function writeAll(
  db: Sql,
  requests: readonly ChargeRequest[],
): Promise<(CreatedCharge | Promise<CreatedCharge>)[]> {
  try {
    return await createCharges(db, requests);
  } catch (error) {
    if (!wasRefused(error)) throw error;
    return requests.map((request) => createCharge(db, request));
  }
}

/** Bad values, broken constraints, and a deadlock: nothing was written. */
function wasRefused(error: unknown): boolean {
  return /^(22|23|40P01)/.test(String((error as { code?: unknown }).code));
}

function isFirstOf({ asker }: ChargeRequest, seen: Set<string>): boolean {
  const idempotency = 'idempotency' in asker ? asker.idempotency : undefined;
  if (!idempotency) return true;
  const key = `${idempotency.scope} ${idempotency.key}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
