import {
  type ChargeRequest,
  type ChargeTx,
  type CreatedCharge,
  createCharge,
  createCharges,
} from '../../domain/payments/charge/create.ts';
import { groupCalls } from '../grouped-calls.ts';

export type CreateCharge = (request: ChargeRequest) => Promise<CreatedCharge>;

const MAX_TOGETHER = 100;
const MAX_WAIT_MS = 250;

/**
 * Writes together the charges asked for while a statement is under way; where PostgreSQL refuses
 * one, each alone. An idempotency key that comes twice is written once.
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
