import { recordAudit } from '../accounts/audit-log/record-change.ts';
import type { Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { type ErasedCustomer, eraseCustomer } from '../webhooks/event/erase-customer.ts';
import type { NamedPayments } from './notification/erase.ts';

/** What is stored in the place of a payer. The domain exists nowhere. */
export const ERASED: ErasedCustomer = { email: 'erased@payer.invalid', name: null, phone: null };

/** The payments of one payer at one tenant. */
export interface PayersPayments extends NamedPayments {
  /** Charges that can still be paid: their payer is needed until they have ended. */
  openChargeIds: string[];
}

/** What was erased. */
export interface Erased {
  charges: number;
  paymentLinks: number;
  events: number;
  payloads: number;
}

/** Finds the payments of an e-mail address, in both modes. */
export async function findPayersPayments(
  sql: Sql,
  tenantId: string,
  email: string,
): Promise<PayersPayments> {
  const charges = await sql.query<{ id: string; is_open: boolean; connection_id: string }>(
    `select id, status in ('initiated', 'pending') as is_open, connection_id from charges
     where tenant_id = $1 and mode = any(array['live', 'test']) and lower(email) = lower($2)
     order by id`,
    [tenantId, email],
  );
  const chargeIds = charges.filter((charge) => !charge.is_open).map(({ id }) => id);
  const attempts = await sql.query<{ reference: string; connection_id: string }>(
    'select reference, connection_id from attempts where charge_id = any($1)',
    [chargeIds],
  );
  const captures = await sql.query<{ provider_payment_id: string }>(
    'select provider_payment_id from captures where charge_id = any($1)',
    [chargeIds],
  );
  return {
    chargeIds,
    openChargeIds: charges.filter((charge) => charge.is_open).map(({ id }) => id),
    connectionIds: [...new Set([...charges, ...attempts].map((row) => row.connection_id))],
    references: attempts.map(({ reference }) => reference),
    providerPaymentIds: captures.map((capture) => capture.provider_payment_id),
  };
}

/**
 * Removes who paid from these charges, their payment links and their events, and deletes what
 * providers sent about them. Amounts, statuses, references and the timeline stay. The audit log
 * says that it was done, not whose data it was.
 */
export async function erasePayer(
  tx: Tx,
  tenantId: string,
  chargeIds: readonly string[],
): Promise<Erased> {
  const { sql } = tx;
  const charges = await sql.query<{ id: string; payment_link_id: string | null }>(
    `update charges set email = $3, name = null, phone = null, description = null,
       return_url = null, metadata = '{}'
     where id = any($1) and tenant_id = $2 and status not in ('initiated', 'pending')
     returning id, payment_link_id`,
    [chargeIds, tenantId, ERASED.email],
  );
  const ids = charges.map(({ id }) => id);
  const linkIds = charges.flatMap(({ payment_link_id: linkId }) => linkId ?? []);
  const links = await sql.query(
    `update payment_links set customer_name = null, customer_phone = null, description = 'Erased'
     where id = any($1) and status <> 'active' returning 1`,
    [linkIds],
  );
  const payloads = await sql.query('delete from evidence where charge_id = any($1) returning 1', [
    ids,
  ]);
  const events = await eraseCustomer(sql, ids, ERASED);
  for (const subjectId of ids)
    await recordAudit(tx, {
      tenantId,
      mode: null,
      actor: 'operator',
      action: 'payer.erased',
      subjectId,
    });
  return {
    charges: ids.length,
    paymentLinks: links.length,
    events,
    payloads: payloads.length,
  };
}
