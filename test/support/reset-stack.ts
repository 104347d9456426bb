import type { Redis } from 'ioredis';
import { emptyTables } from './emptied.ts';
import { queuesAreIdle } from './settle.ts';
import type { Stack } from './stack.ts';

/**
 * Prepares a stack with workers for the next test, which costs a tenth of a new stack: no charges,
 * refunds, deliveries or received webhooks, and no faults. Tenants, connections and the clock stay.
 */
export async function resetStack(stack: Stack): Promise<void> {
  await stack.control.faults();
  await queuesAreIdle(stack.context);
  await emptyTables((statement) => stack.context.db.query(statement));
  for (const table of ['notifications', 'delivery_tries'])
    await stack.context.db.query(`delete from ${table}`);
  stack.receiver.received.length = 0;
}

/**
 * Removes every job, also those that count as active because their process was killed. Unlike
 * BullMQ's `obliterate`, pauses no queue: workers that saw that would begin nothing for a while.
 */
export async function emptyQueues({ context: { db, dispatcher, queues } }: Stack): Promise<void> {
  await dispatcher.idle();
  if (queues.kind === 'postgres') return void (await db.query('delete from bullmq.job'));
  for (const queue of queues.all.values()) {
    const { client } = queue.backend as unknown as { client: Promise<Redis> };
    const redis = await client;
    const keys = await redis.keys(queue.toKey('*'));
    if (keys.length > 0) await redis.del(keys);
  }
}
