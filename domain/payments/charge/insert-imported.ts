import { newId } from '../../shared/ids.ts';
import { CURRENCY } from '../../shared/money.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { wordsOf } from '../../shared/words.ts';
import { insertCustomers } from './insert-customers.ts';

export interface ImportedCharge {
  reference: string;
  providerPaymentId: string;
  amountKobo: number;
  email: string;
  name: string | null;
  phone: string | null;
  /** When its payment was begun: it stands in lists as if it had been created then. */
  createdAt: Date;
}

export interface ImportingConnection {
  id: string;
  tenant_id: string;
  mode: string;
  slot: string;
}

export interface ImportedAttempt {
  id: string;
  charge_id: string;
  reference: string;
}

/**
 * Charges whose attempt waits to be recorded as paid. Leaves out references on record, and payments
 * that are on record at another connection to the same account.
 */
export function insertImported(
  { sql }: Tx,
  { id: connectionId, tenant_id: tenantId, mode, slot }: ImportingConnection,
  charges: readonly ImportedCharge[],
): Promise<ImportedAttempt[]> {
  const column = <Value>(read: (charge: ImportedCharge) => Value) => charges.map(read);
  return insert(sql, {
    ...{ connectionId, tenantId, mode, slot, currency: CURRENCY },
    ids: column(({ createdAt }) => newId('txn', createdAt)),
    attemptIds: column(({ createdAt }) => newId('att', createdAt)),
    references: column(({ reference }) => reference),
    paymentIds: column(({ providerPaymentId }) => providerPaymentId),
    amounts: column(({ amountKobo }) => amountKobo),
    emails: column(({ email }) => email),
    names: column(({ name }) => name),
    nameWords: column(({ name }) => wordsOf(name ?? '').join(' ')),
    phones: column(({ phone }) => phone),
    times: column(({ createdAt }) => createdAt),
  });
}

const insert = statement<ImportedAttempt>(`
  with imported as materialized (
    select i.* from unnest(:ids::text[], :attemptIds::text[], :references::text[],
      :paymentIds::text[], :amounts::bigint[], :emails::text[], :names::text[], :nameWords::text[],
      :phones::text[], :times::timestamptz[])
      as i (id, attempt_id, reference, payment_id, amount_kobo, email, name, name_words, phone, at)
    where not exists (
      select from attempts a where a.reference = i.reference and a.connection_id = :connectionId)
    and (
      select 1 from connections own
        join connections o using (tenant_id, mode, adapter)
        join captures k on k.connection_id = o.id and k.provider_payment_id = i.payment_id
      where own.id = :connectionId limit 1) is null
  ), charge as (
    insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo,
      currency, email, name, phone, metadata, provider_wanted, slot, connection_id, created_by,
      occurred_at, created_at, expires_at)
    select id, :tenantId, :mode, nextval('sv_numbers'), 'initiated', reference, amount_kobo,
      :currency, email, name, phone, '{}', :slot, :slot, :connectionId, 'import', at, at, at
    from imported
    returning id, email
  ), customer as (${insertCustomers(
    `select charge.id, :tenantId as tenant_id, :mode as mode, charge.email, name_words
    from charge join imported using (id)`,
  )}
  )
  insert into attempts (id, charge_id, connection_id, slot, reference, status, accepted_at,
    created_at)
  select attempt_id, charge.id, :connectionId, :slot, reference, 'open', at, at
  from imported join charge using (id)
  returning id, charge_id, reference`);
