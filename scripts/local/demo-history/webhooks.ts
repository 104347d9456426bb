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
import type { Business } from './business.ts';
import type { Past } from './past.ts';

/** An endpoint of the business that does not exist any more: nothing is ever delivered there. */
export const GONE_URL = 'https://erp.demo.example/payments';

export function addFailingEndpoint(past: Past, { developer }: Business): Promise<void> {
  return past.tx(async (tx) => {
    const { row } = addEndpoint(tx, developer, {
      url: GONE_URL,
      eventTypes: ['charge.succeeded', 'charge.failed', 'refund.completed', 'settlement.landed'],
    });
    await recordChange(tx, developer, 'webhook_endpoint.created', row.id, row.url);
  });
}

/** Records the tries made until now: nothing is sent, and the receiver was away now and then. */
export async function recordPastTries(past: Past, { tenantId }: Business): Promise<void> {
  const end = past.now();
  for (;;) {
    const wanted = { tenant_id: tenantId, status: 'pending' as const, due_at: { $lte: end } };
    const due = await past.tx(({ em }) =>
      em.find(Delivery, wanted, { orderBy: { due_at: 'asc', id: 'asc' } }),
    );
    if (due.length === 0) return;
    const claimed = await claimRows<DeliveryToSend>(
      past.context.db,
      'webhook-deliver',
      due,
      end,
      SELECT_DELIVERIES_TO_SEND,
    );
    const ended = claimed.flatMap((row, n) => (row ? [tryOf(past, row, due[n]!.due_at!)] : []));
    await recordTries(past.context.db, ended);
    const failed = ended.find(({ delivery }) => delivery.url === GONE_URL);
    if (failed)
      await recordFailure(
        { sql: past.context.db, now: failed.made.at },
        failed.delivery.endpoint_id,
      );
  }
}

function tryOf({ dice }: Past, delivery: DeliveryToSend, dueAt: Date): EndedTry {
  const durationMs = dice.between(24, 480);
  const at = new Date(dueAt.getTime() + dice.between(60, 900));
  const endedAt = new Date(at.getTime() + durationMs);
  const answered = answerOf(delivery, dice.next());
  const decision = decideTry({ at, retryAfter: null, ...answered }, delivery, endedAt, dice.next());
  return { delivery, made: { at, durationMs, ...answered }, endedAt, decision };
}

const OK = { statusCode: 200, error: null, answer: '{"received":true}' };
const BUSY = { statusCode: 503, error: null, answer: 'Service Unavailable' };
const NOT_FOUND = {
  ...{ statusCode: null, answer: null },
  error: 'getaddrinfo ENOTFOUND erp.demo.example',
};
const BUSY_RATE = 0.02;

function answerOf({ url, made }: DeliveryToSend, random: number) {
  if (url === GONE_URL) return NOT_FOUND;
  return made === 0 && random < BUSY_RATE ? BUSY : OK;
}
