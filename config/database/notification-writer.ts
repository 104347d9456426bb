import {
  type Arrival,
  storeNotifications,
  type TakenNotification,
} from '../../domain/payments/notification/store.ts';
import type { Tx } from '../../domain/shared/tx.ts';
import { GATHER_MS } from '../batcher.ts';
import { groupCalls } from '../grouped-calls.ts';

export type StoreNotification = (arrival: Arrival) => Promise<TakenNotification>;

const MAX_TOGETHER = 100;
/** A longer body is stored by itself, so that a group takes little memory. */
const MAX_GROUPED_BYTES = 64 * 1024;
const MAX_WAIT_MS = 250;

export function createNotificationWriter(
  tx: Pick<Tx, 'sql' | 'vault' | 'enqueue'>,
  clock: () => Date,
): StoreNotification {
  const storeAll = (arrivals: readonly Arrival[]) =>
    storeNotifications({ ...tx, now: clock() }, arrivals);
  const storeAlone = async (arrival: Arrival) => (await storeAll([arrival]))[0]!;
  const store = groupCalls({
    together: async (arrivals: readonly Arrival[]) => {
      const taken = await storeAll(arrivals);
      return new Map(arrivals.map((arrival, n) => [arrival, taken[n]!]));
    },
    alone: storeAlone,
    nameOf: ({ connection, sha256 }) => `${connection.id} ${sha256}`,
    options: { maxBatchSize: MAX_TOGETHER, maxWaitMs: MAX_WAIT_MS, gatherMs: GATHER_MS },
  });
  return (arrival) =>
    arrival.body.length > MAX_GROUPED_BYTES ? storeAlone(arrival) : store(arrival);
}
