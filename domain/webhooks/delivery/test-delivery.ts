import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { type ChargeRow, transactionView } from '../../payments/charge/row.ts';
import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import type { Try } from './record-tries.ts';

/** A test as it is sent: a normal envelope, but no event. */
export interface TestDelivery {
  id: string;
  eventId: string;
  body: string;
}

/**
 * A complete `charge.succeeded` for a charge that does not exist: `merchant_reference` and
 * `metadata` say that it is a test.
 */
export function testDeliveryFor(
  { tenant_id, mode }: Pick<EndpointRow, 'tenant_id' | 'mode'>,
  now: Date,
): TestDelivery {
  const eventId = newId('evt', now);
  const envelope = {
    id: eventId,
    type: 'charge.succeeded',
    created_at: now.toISOString(),
    mode,
    tenant_id,
    data: transactionView(testCharge(tenant_id, mode, now)),
  };
  return { id: newId('dlv', now), eventId, body: JSON.stringify(envelope) };
}

/** The smallest amount there is. */
const TEST_AMOUNT_KOBO = 10_000;

function testCharge(tenantId: string, mode: Mode, now: Date): ChargeRow {
  return {
    id: newId('txn', now),
    tenant_id: tenantId,
    mode,
    number: 1,
    status: 'succeeded',
    merchant_reference: 'test-delivery',
    amount_kobo: TEST_AMOUNT_KOBO,
    fee_kobo: 0,
    refunded_kobo: 0,
    currency: 'NGN',
    email: 'test-delivery@example.com',
    name: null,
    phone: null,
    description: null,
    return_url: null,
    metadata: { test_delivery: true },
    provider_wanted: 'auto',
    slot: 'provider_a',
    connection_id: '',
    capture_id: null,
    created_by: 'member',
    payment_link_id: null,
    channel: 'card',
    provider_reference: null,
    failure_message: null,
    failure_cause: null,
    occurred_at: now,
    settled_at: null,
    settlement_id: null,
    recovered: false,
    review: [],
    created_at: now,
    expires_at: now,
    cancel_requested_at: null,
    failed_at: null,
  };
}

/**
 * Records a test and its one try. It is never retried and does not count for the endpoint's health.
 */
export async function recordTest(
  tx: Tx,
  actor: Actor,
  endpoint: EndpointRow,
  { id }: TestDelivery,
  made: Try,
): Promise<void> {
  const { sql, now } = tx;
  const succeeded = made.statusCode !== null && made.statusCode >= 200 && made.statusCode < 300;
  await sql.query(
    `with delivery as (
       insert into deliveries (
         id, endpoint_id, tenant_id, mode, status, tries, finished_at, created_at)
       values ($1, $2, $3, $4, $5, 1, $6, $7)
     )
     insert into delivery_tries (
       delivery_id, endpoint_id, try, at, duration_ms, status_code, error, answer)
     values ($1, $2, 1, $7, $8, $9, $10, $11)`,
    [
      id,
      endpoint.id,
      endpoint.tenant_id,
      endpoint.mode,
      succeeded ? 'delivered' : 'exhausted',
      now,
      made.at,
      made.durationMs,
      made.statusCode,
      made.error,
      made.answer,
    ],
  );
  await recordChange(
    tx,
    actor,
    'webhook_endpoint.tested',
    endpoint.id,
    made.error ?? `HTTP ${made.statusCode}`,
  );
}
