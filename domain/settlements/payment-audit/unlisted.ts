import { type AskedAttempt, askAttempt } from '../../payments/attempt/verify-attempt.ts';
import { isDeferral, ProviderError } from '../../providers/provider.ts';
import type { Tx } from '../../shared/tx.ts';
import { compareBooks } from '../discrepancy/compare.ts';
import { type SettlementAccount, takeTurn } from '../settlement/account.ts';
import type { AuditDesk, AuditSpan } from './desk.ts';

/** Payments read at once. */
const MOST_ASKED = 50;

interface Unlisted {
  capture_id: string;
  provider_payment_id: string;
  attempt: AskedAttempt;
}

/**
 * Asks about each of our payments that the provider's list did not hold: a list may leave one out, and only an answer about the payment
 * itself says that it is not known there. Those found unknown before are asked about again. One that cannot be answered does not hold up
 * the others; its error is thrown after them. False where there was no time for all.
 */
export async function askUnlisted(desk: AuditDesk, { from, to }: AuditSpan): Promise<boolean> {
  const { id } = desk.account;
  const again = await desk.db.query<Unlisted>(UNKNOWN_BEFORE, [
    id,
    desk.clock().toISOString(),
    MOST_ASKED,
  ]);
  let failure: ProviderError | undefined;
  const ask = async (payments: readonly Unlisted[]) => {
    for (const payment of payments) {
      if (!desk.hasTime()) return false;
      const error = await askOne(desk, payment);
      if (error && isDeferral(error)) throw error;
      failure ??= error;
    }
    return true;
  };
  const asked = again.map(({ capture_id: captureId }) => captureId);
  if (!(await ask(again))) return false;
  for (;;) {
    const unlisted = await desk.db.query<Unlisted>(UNLISTED, [id, from, to, asked, MOST_ASKED]);
    if (!(await ask(unlisted))) return false;
    asked.push(...unlisted.map(({ capture_id: captureId }) => captureId));
    if (unlisted.length < MOST_ASKED) break;
  }
  if (failure) throw failure;
  return true;
}

async function askOne(
  desk: AuditDesk,
  { capture_id: captureId, provider_payment_id: paymentId, attempt }: Unlisted,
) {
  const answer = await askAttempt(desk, attempt, desk.verifyMs);
  if (answer instanceof ProviderError) return answer;
  const isKnown = answer.captures.some(({ providerPaymentId }) => providerPaymentId === paymentId);
  await desk.inTx(async (tx) => {
    await recordAnswer(tx, desk.account, captureId, isKnown);
    return [];
  });
  return undefined;
}

const PAYMENTS = `
  select k.id as capture_id, k.provider_payment_id, json_build_object('id', a.id, 'reference', a.reference, 'connection_id', a.connection_id) as attempt
  from captures k join attempts a on a.id = k.attempt_id`;

const UNLISTED = `${PAYMENTS}
  where k.connection_id = $1 and k.listed_at is null and k.captured_at between $2 and $3 and k.settlement_id is null and k.id <> all($4)
    and not exists (select from discrepancies d where d.connection_id = $1 and d.kind = 'unknown_at_provider' and d.subject = k.id
      and d.status in ('open', 'closed'))
  order by k.captured_at, k.id limit $5`;

/** Others every time, where they are many. */
const UNKNOWN_BEFORE = `${PAYMENTS}
  where k.id in (select subject from discrepancies where connection_id = $1 and kind = 'unknown_at_provider' and status in ('open', 'closed')
    order by md5(subject || $2) limit $3)`;

async function recordAnswer(
  tx: Tx,
  account: SettlementAccount,
  captureId: string,
  isKnown: boolean,
): Promise<void> {
  await takeTurn(tx, account);
  if (isKnown)
    await tx.sql.query('update captures set listed_at = coalesce(listed_at, $2) where id = $1', [
      captureId,
      tx.now,
    ]);
  await compareBooks(tx, account, {
    differences: UNKNOWN,
    among: `d.kind = 'unknown_at_provider' and d.subject = $2`,
    values: [captureId, isKnown],
  });
}

const UNKNOWN = `
  select 'unknown_at_provider' as kind, k.id as subject, null as settlement_id, null as line_id, k.charge_id, a.reference,
    k.amount_kobo, k.amount_kobo - coalesce(k.fee_kobo, 0) as difference_kobo,
    coalesce(k.settles_on, (k.captured_at at time zone 'Africa/Lagos')::date)::text as day, k.amount_kobo as ours_kobo,
    null::bigint as theirs_kobo, null as other
  from captures k join attempts a on a.id = k.attempt_id
  where k.id = $2 and k.connection_id = $1 and not $3::boolean and k.settlement_id is null`;
