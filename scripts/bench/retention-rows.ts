import { firstIdAt, type IdPrefix } from '../../domain/shared/ids.ts';
import type { Sql } from '../../domain/shared/sql.ts';

/** Whose rows they are. */
export interface RowsOf {
  tenantId: string;
  connectionId: string;
}

/**
 * Rows of one charge as the service writes them, counted over all charges: three of four are paid,
 * with a notification, an event and a delivery that needs one try.
 */
const PAID_IN_100 = 75;
/** Charges that nothing was ever sent for: housekeeping expires them itself. */
const NEVER_SENT_IN_1000 = 5;

/** Writes everything that `charges` charges made at `at` leave behind; `from` numbers them. */
export async function writeTraffic(
  sql: Sql,
  { tenantId, connectionId }: RowsOf,
  { at, from, charges }: { at: Date; from: number; charges: number },
): Promise<void> {
  for (const text of STATEMENTS) {
    const used = { tenant: tenantId, connection: connectionId, at, from, to: from + charges - 1 };
    const values = [used.tenant, used.connection, used.at, used.from, used.to];
    const numbered = text.replaceAll(/:(\w+)_id/g, (_, prefix: IdPrefix) => idsAt(prefix, at));
    await sql.query(`${AS_VALUES} ${numbered}`, values);
  }
}

/** SQL: an id made at `at` for the number `n`. */
function idsAt(prefix: IdPrefix, at: Date): string {
  const time = firstIdAt(prefix, at).slice(0, prefix.length + '_'.length + 10);
  return `'${time}' || lpad(to_hex(n), 16, '0')`;
}

const AS_VALUES = `
with given as materialized (
  select $1::text as tenant, $2::text as connection, $3::timestamptz as at
), numbered as materialized (
  select n, given.* from given, generate_series($4::bigint, $5::bigint) n
)`;

const text = (bytes: number) => `repeat(md5(n::text), ${Math.ceil(bytes / 32)})`;

const STATEMENTS = [
  `insert into idempotency_keys
     (tenant_id, mode, scope, key, body_sha256, status, answer, sealed, created_at)
   select tenant, 'live', 'secret POST /charges', md5(n::text), md5(n::text), 201, ${text(700)},
     n % 1000 = 0, at from numbered`,
  `insert into request_log
     (id, tenant_id, mode, at, method, path, status, duration_ms, credential_id)
   select :req_id, tenant, 'live', at, 'POST', '/v1/charges', 201, 8, 'key' from numbered`,
  `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
     provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at)
   select :txn_id, tenant, 'live', 1000000 + n, 'initiated', 500000, 'NGN', 'ada@mail.example',
     '{}', 'auto', 'provider_a', connection, 'secret', at, at, at + interval '1 day'
   from numbered where n % 1000 < ${NEVER_SENT_IN_1000}`,
  `insert into timeline_entries (id, charge_id, at, what, detail)
   select :tle_id, :txn_id, at, what, 'The payment is open at the provider.'
   from numbered, unnest(array['attempt.open', 'charge.pending', 'charge.succeeded']) what`,
  `insert into evidence (charge_id, sha256, payload, created_at)
   select :txn_id, md5(n::text), ${text(900)}, at from numbered`,
  `insert into notifications (id, connection_id, body_sha256, body, event, payment_references,
     status, created_at, processed_at)
   select :ntf_id, connection, md5(n::text), ${text(900)}, 'charge.success', array[n::text],
     'processed', at, at from numbered where n % 100 < ${PAID_IN_100}`,
  `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
   select :evt_id, tenant, 'live', 'charge.succeeded', :txn_id, ${text(800)}, at
   from numbered where n % 100 < ${PAID_IN_100}`,
  `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, tries, finished_at,
     created_at)
   select :dlv_id, :evt_id, 'whe', tenant, 'live', 'delivered', 1, at, at
   from numbered where n % 100 < ${PAID_IN_100}`,
  `insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, since_event_ms,
     status_code, answer)
   select :dlv_id, 'whe', 1, at, 80, 90, 200, 'ok' from numbered where n % 100 < ${PAID_IN_100}`,
  `insert into figure_changes (tenant_id, mode, at, slot, succeeded, collected_kobo)
   select tenant, 'live', at, 'provider_a', 1, 500000
   from numbered where n % 100 < ${PAID_IN_100}`,
];
