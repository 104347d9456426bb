import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import type { Try } from './record-tries.ts';

export interface TestDelivery {
  id: string;
  eventId: string;
  body: string;
}

export function testDeliveryFor(
  { tenant_id, mode }: Pick<EndpointRow, 'tenant_id' | 'mode'>,
  data: object,
  now: Date,
): TestDelivery {
  const eventId = newId('evt', now);
  const envelope = {
    id: eventId,
    type: 'charge.succeeded',
    created_at: now.toISOString(),
    mode,
    tenant_id,
    data,
  };
  return { id: newId('dlv', now), eventId, body: JSON.stringify(envelope) };
}

/** Never retried; does not count for the endpoint's health. */
export async function recordTest(
  tx: Tx,
  actor: Actor,
  endpoint: EndpointRow,
  { id }: TestDelivery,
  made: Try,
): Promise<void> {
  const { sql, now } = tx;
  const succeeded = made.statusCode !== null && made.statusCode >= 200 && made.statusCode < 300;
  await insertTest(sql, {
    ...made,
    id,
    endpointId: endpoint.id,
    tenantId: endpoint.tenant_id,
    mode: endpoint.mode,
    status: succeeded ? 'delivered' : 'exhausted',
    now,
  });
  await recordChange(
    tx,
    actor,
    'webhook_endpoint.tested',
    endpoint.id,
    made.error ?? `HTTP ${made.statusCode}`,
  );
}

const insertTest = statement(`
  with delivery as (
    insert into deliveries (
      id, endpoint_id, tenant_id, mode, status, tries, finished_at, created_at)
    values (:id, :endpointId, :tenantId, :mode, :status, 1, :now, :at)
  )
  insert into delivery_tries (
    delivery_id, endpoint_id, try, at, duration_ms, status_code, error, answer)
  values (:id, :endpointId, 1, :at, :durationMs, :statusCode, :error, :answer)`);
