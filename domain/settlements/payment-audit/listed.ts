import type { Job } from '../../jobs.ts';
import type { ProviderCapture } from '../../providers/provider.ts';
import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { compareBooks } from '../discrepancy/compare.ts';
import { type SettlementAccount, takeTurn } from '../settlement/account.ts';
import { isOurReference, ringAttempts } from '../settlement/lines.ts';

/**
 * Compares payments that a provider lists with ours: notes that it knows those we hold, opens a discrepancy for each under a reference in
 * our form that we do not hold, and has its attempt asked about. Payments of the merchant's other business are passed over.
 */
export async function recordListed(
  tx: Tx,
  account: SettlementAccount,
  payments: readonly ProviderCapture[],
): Promise<Job[]> {
  const ours = payments.filter(({ reference }) => isOurReference(reference));
  if (ours.length === 0) return [];
  await takeTurn(tx, account);
  await tx.sql.query(
    'update captures set listed_at = $3 where connection_id = $1 and provider_payment_id = any($2) and listed_at is null',
    [account.id, ours.map(({ providerPaymentId }) => providerPaymentId), tx.now],
  );
  await compareBooks(tx, account, {
    differences: UNHEARD,
    among: 'false',
    values: [
      ours.map(({ providerPaymentId }) => providerPaymentId),
      ours.map(({ reference }) => reference),
      ours.map(({ amountKobo }) => amountKobo),
      ours.map(({ capturedAt, createdAt }) => lagosDay(capturedAt ?? createdAt ?? tx.now)),
    ],
  });
  return ringUnheard(tx, account);
}

/**
 * One that stands in a payout too is that payout's, and weighed with it: of what landed it makes no part before. A page may name a payment
 * twice.
 */
const UNHEARD = `
  select 'never_notified' as kind, listed.id as subject, null as settlement_id, null as line_id, a.charge_id, listed.reference,
    listed.amount_kobo, 0::bigint as difference_kobo, listed.day::text as day, null::bigint as ours_kobo, listed.amount_kobo as theirs_kobo,
    a.charge_id as other
  from (
    select distinct on (id) * from unnest($2::text[], $3::text[], $4::bigint[], $5::date[]) as listed (id, reference, amount_kobo, day)
    order by id) listed
  left join attempts a on a.reference = listed.reference
  where (a.id is null or a.connection_id = $1) and not exists (select from captures k where k.connection_id = $1 and k.provider_payment_id = listed.id)
    and not exists (select from discrepancies d where d.connection_id = $1 and d.kind = 'never_notified' and d.subject = listed.id
      and d.status in ('open', 'closed') and d.settlement_id is not null)`;

/** Payments nobody told of, open and in no payout, the columns of a `Difference`. */
const STILL_UNHEARD = `
  select kind, subject, settlement_id, line_id, charge_id, reference, amount_kobo, difference_kobo, day::text, null::bigint as ours_kobo,
    amount_kobo as theirs_kobo, charge_id as other
  from discrepancies d where connection_id = $1 and kind = 'never_notified' and status in ('open', 'closed') and settlement_id is null
    and not exists (select from captures k where k.connection_id = $1 and k.provider_payment_id = d.subject)`;

/** Resolves what was told of meanwhile. */
export async function resolveHeard(tx: Tx, account: SettlementAccount): Promise<void> {
  await takeTurn(tx, account);
  const among = `d.kind = 'never_notified' and d.settlement_id is null`;
  await compareBooks(tx, account, { differences: STILL_UNHEARD, among, values: [] });
}

/** Asked about in one transaction. */
const MOST_RUNG = 100;

async function ringUnheard({ sql, now }: Tx, account: SettlementAccount): Promise<Job[]> {
  const unheard = await sql.query<{ reference: string; charge_id: string }>(
    `select reference, charge_id from (${STILL_UNHEARD}) unheard where charge_id is not null limit ${MOST_RUNG}`,
    [account.id],
  );
  const references = unheard.map(({ reference }) => reference);
  return ringAttempts(
    { sql, now },
    account.id,
    references,
    unheard.map(({ charge_id: chargeId }) => chargeId),
  );
}
