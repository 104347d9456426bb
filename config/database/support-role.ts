import { entities } from '../../domain/entities.ts';
import { sealedColumns } from '../../domain/sealed-columns.ts';
import { payerColumns } from '../../domain/shared/payer-data.ts';
import type { Sql } from '../../domain/shared/sql.ts';

/**
 * Tables that explain where money, a notification or a webhook is, and the columns withheld of each
 * besides those of payers and what is sealed. A table that is not here is withheld whole.
 */
const withheld: Record<string, readonly string[]> = {
  tenants: ['support_email', 'support_phone'],
  members: ['email', 'name', 'password_hash', 'totp_step'],
  api_keys: ['sha256', 'public_key', 'name', 'description', 'allowed_origins'],
  request_log: ['body', 'answer'],
  audit_entries: ['detail'],
  webhook_endpoints: ['url'],
  ...of('deliveries', 'delivery_tries', 'events', 'event_feed', 'mails'),
  ...of('connections', 'connection_tasks'),
  charges: ['opener_origin'],
  attempts: ['url'],
  notifications: ['body_sha256'],
  timeline_entries: ['evidence_sha256'],
  ...of('captures', 'refunds', 'refund_listings', 'listed_refunds', 'reviews', 'payment_links'),
  ...of('disputes', 'dispute_responses', 'planned_days', 'daily_figures'),
  settlements: ['bank_name', 'bank_account_last4'],
  ...of('settlement_lines', 'settlement_deductions', 'discrepancies'),
  ...of('postings', 'balance_snapshots', 'snapshot_position'),
};

function of(...tables: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(tables.map((table) => [table, []]));
}

/** What the role `payments_support` may read: no payer's data, and nothing that is sealed. */
export function supportColumns(): Record<string, string[]> {
  const tables = entities.flatMap((entity) => {
    const { tableName, properties } = entity.meta;
    const ofTable = withheld[tableName!];
    if (!ofTable) return [];
    const sealed = sealedColumns.filter(({ table }) => table === tableName);
    const hidden = new Set([
      ...ofTable,
      ...Object.keys(payerColumns(entity)),
      ...sealed.map(({ column }) => column),
    ]);
    return [[tableName!, Object.keys(properties).filter((name) => !hidden.has(name))]];
  });
  return Object.fromEntries(tables);
}

/** Lets the role read that and nothing else, where an administrator made it (roles.sql). */
export async function grantSupport(sql: Sql): Promise<void> {
  const roles = await sql.query(`select 1 from pg_roles where rolname = 'payments_support'`);
  if (roles.length === 0) return;
  const readableNow = supportColumns();
  for (const { meta } of entities) {
    const columns = readableNow[meta.tableName!];
    await sql.query(`revoke all on ${meta.tableName} from payments_support`);
    if (columns)
      await sql.query(
        `grant select (${columns.join(', ')}) on ${meta.tableName} to payments_support`,
      );
  }
}
