import type { CaptureRow } from '../../payments/capture/capture.ts';
import { writeListed } from '../../payments/capture/settle.ts';
import { type AskedAttempt, askAboutAttempt } from '../../payments/facts/ask-about-attempt.ts';
import { isDeferral, ProviderError } from '../../providers/port/provider-error.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import { discrepanciesOf, recordDifferences } from '../discrepancy/record-differences.ts';
import type { AuditContext, AuditSpan } from './context.ts';

const BATCH = 50;

interface UnlistedPayment extends Pick<CaptureRow, 'provider_payment_id'> {
  capture_id: string;
  attempt: AskedAttempt;
}

/**
 * Only an answer about the payment itself proves that the provider does not know it. An error is
 * thrown after the others were asked about. False: no time for all.
 */
export async function checkUnlisted(context: AuditContext, { from, to }: AuditSpan) {
  const { account, clock, db } = context;
  const unknown = [account.id, clock().toISOString(), BATCH];
  const again = await db.query<UnlistedPayment>(UNKNOWN_BEFORE, unknown);
  let failure: ProviderError | undefined;
  const askAll = async (payments: readonly UnlistedPayment[]) => {
    for (const payment of payments) {
      if (!context.hasTime()) return false;
      const error = await ask(context, payment);
      if (error && isDeferral(error)) throw error;
      failure ??= error;
    }
    return true;
  };
  const asked = again.map(({ capture_id: captureId }) => captureId);
  if (!(await askAll(again))) return false;
  for (;;) {
    const query = [account.id, from, to, asked, BATCH];
    const unlisted = await db.query<UnlistedPayment>(UNLISTED, query);
    if (!(await askAll(unlisted))) return false;
    asked.push(...unlisted.map(({ capture_id: captureId }) => captureId));
    if (unlisted.length < BATCH) break;
  }
  if (failure) throw failure;
  return true;
}

async function ask(
  context: AuditContext,
  { capture_id: captureId, provider_payment_id: paymentId, attempt }: UnlistedPayment,
): Promise<ProviderError | undefined> {
  const answer = await askAboutAttempt(context, attempt, context.askTimes);
  if (answer instanceof ProviderError) return answer;
  const isKnown = answer.captures.some(({ providerPaymentId }) => providerPaymentId === paymentId);
  await context.inTx(async (tx) => {
    await lockAccount(tx, context.account);
    if (isKnown) await writeListed(tx, context.account.id, [paymentId]);
    await recordUnknown(tx, context.account, captureId, isKnown);
  });
  return undefined;
}

const PAYMENTS = `
  select k.id as capture_id, k.provider_payment_id, json_build_object(
    'id', a.id, 'reference', a.reference, 'connection_id', a.connection_id) as attempt
  from captures k join attempts a on a.id = k.attempt_id`;

const KNOWN = { kind: `'unknown_at_provider'`, subject: 'k.id' };
const UNLISTED = `${PAYMENTS}
  where k.connection_id = $1 and k.listed_at is null and k.captured_at between $2 and $3
    and k.settlement_id is null and k.id <> all($4)
    and not exists (${discrepanciesOf('open', KNOWN)})
    and not exists (${discrepanciesOf('closed', KNOWN)})
  order by k.captured_at, k.id limit $5`;

/** Each run takes others. */
const UNKNOWN_BEFORE = `${PAYMENTS}
  where k.id in (
    select subject from discrepancies
    where connection_id = $1 and kind = 'unknown_at_provider' and status in ('open', 'closed')
    order by md5(subject || $2) limit $3)`;

function recordUnknown(tx: Tx, account: SettlementAccount, captureId: string, isKnown: boolean) {
  return recordDifferences(tx, account, {
    differences: UNKNOWN,
    scope: `d.kind = 'unknown_at_provider' and d.subject = $2`,
    values: [captureId, isKnown],
  });
}

const UNKNOWN = `
  select 'unknown_at_provider' as kind, k.id as subject, null as settlement_id, null as line_id,
    k.charge_id, a.reference, k.amount_kobo,
    k.amount_kobo - coalesce(k.fee_kobo, 0) as difference_kobo,
    coalesce(k.settles_on, (k.captured_at at time zone 'Africa/Lagos')::date) as day,
    k.amount_kobo as ours_kobo, null::bigint as theirs_kobo, null as other
  from captures k join attempts a on a.id = k.attempt_id
  where k.id = $2 and k.connection_id = $1 and not $3::boolean and k.settlement_id is null`;
