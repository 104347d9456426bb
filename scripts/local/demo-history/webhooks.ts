import { recordChange } from '../../../domain/accounts/audit-log/record-change.ts';
import { claimRows } from '../../../domain/shared/due-rows.ts';
import { decideTry } from '../../../domain/webhooks/delivery/decide-try.ts';
import { type EndedTry, recordTries } from '../../../domain/webhooks/delivery/record-tries.ts';
import {
  type DeliveryToSend,
  SELECT_DELIVERIES_TO_SEND,
} from '../../../domain/webhooks/delivery/to-send.ts';
import { addEndpoint } from '../../../domain/webhooks/endpoint/create.ts';
import { recordFailure } from '../../../domain/webhooks/endpoint/disable.ts';
import { Delivery } from '../../../domain/webhooks/entities/delivery.ts';
import type { Story } from './story.ts';

/** An endpoint of the business that does not exist any more: nothing is ever delivered there. */
const GONE_URL = 'https://erp.demo.example/payments';

export function addFailingEndpoint({ tx, developer }: Story): Promise<void> {
  return tx(async (tx) => {
    const { row } = addEndpoint(tx, developer, {
      url: GONE_URL,
      eventTypes: ['charge.succeeded', 'charge.failed', 'refund.completed', 'settlement.landed'],
    });
    await recordChange(tx, developer, 'webhook_endpoint.created', row.id, row.url);
  });
}

/** Records the tries made until now: nothing is sent, and the receiver was away now and then. */
export async function recordPastTries(story: Story): Promise<void> {
  const { tenantId, tx } = story;
  const { db: sql } = story.context;
  const end = story.now();
  for (;;) {
    const wanted = { tenant_id: tenantId, status: 'pending' as const, due_at: { $lte: end } };
    const due = await tx(({ em }) =>
      em.find(Delivery, wanted, { orderBy: { due_at: 'asc', id: 'asc' } }),
    );
    if (due.length === 0) return;
    const endpoints = [...new Set(due.map((row) => row.endpoint_id))];
    const claimed = await claimRows<DeliveryToSend>(
      sql,
      'webhook-deliver',
      endpoints.map((group) => ({ group, count: due.length })),
      end,
      SELECT_DELIVERIES_TO_SEND,
    );
    const inOrder = claimed.toSorted((one, other) => +one.due_since! - +other.due_since!);
    const ended = inOrder.map((row) => tryOf(story, row, row.due_since!));
    await recordTries(sql, ended);
    const failed = ended.find(({ delivery }) => delivery.url === GONE_URL);
    if (failed) await recordFailure({ sql, now: failed.made.at }, failed.delivery.endpoint_id);
  }
}

function tryOf({ dice }: Story, delivery: DeliveryToSend, dueAt: Date): EndedTry {
  const durationMs = dice.between(24, 480);
  const at = new Date(dueAt.getTime() + dice.between(60, 900));
  const endedAt = new Date(at.getTime() + durationMs);
  const isBusy = delivery.made === 0 && dice.next() < BUSY_RATE;
  const answered = delivery.url === GONE_URL ? NOT_FOUND : isBusy ? BUSY : OK;
  const decision = decideTry({ at, retryAfter: null, ...answered }, delivery, endedAt, dice.next());
  return { delivery, made: { at, durationMs, ...answered }, endedAt, decision };
}

const BUSY_RATE = 0.02;
const OK = { statusCode: 200, error: null, answer: '{"received":true}' };
const BUSY = { statusCode: 503, error: null, answer: 'Service Unavailable' };
const NO_SUCH_HOST = 'the host name does not resolve';
const NOT_FOUND = { statusCode: null, error: NO_SUCH_HOST, answer: null };
