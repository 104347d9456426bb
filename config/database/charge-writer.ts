import {
  type ChargeRequest,
  type ChargeTx,
  type CreatedCharge,
  createCharge,
  createCharges,
} from '../../domain/payments/charge/create.ts';
import { groupCalls } from '../grouped-calls.ts';

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
export function createChargeWriter(tx: ChargeTx, maxWaitMs = MAX_WAIT_MS): CreateCharge {
  return groupCalls({
    together: async (requests) => {
      const created = await createCharges(tx, requests);
      return new Map(requests.map((request, n) => [request, created[n]!]));
    },
    alone: (request) => createCharge(tx, request),
    nameOf: keyOf,
    options: { maxBatchSize: MAX_TOGETHER, maxWaitMs },
  });
}

function keyOf({ asker }: ChargeRequest): string | undefined {
  const idempotency = 'idempotency' in asker ? asker.idempotency : undefined;
  return idempotency && `${idempotency.scope} ${idempotency.key}`;
}
