import { type AskedAttempt, askAttempt } from '../attempt/ask.ts';
import { compareBooks } from '../discrepancy/compare.ts';
import type { Phase } from '../phase.ts';
import { ProviderError } from '../providers/provider.ts';
import { type SettlementAccount, takeTurn } from '../settlement/account.ts';
import type { AuditDesk, AuditSpan } from './desk.ts';

/** Payments asked about in one round. */
const MOST_ASKED = 50;

interface Unlisted {
  capture_id: string;
  provider_payment_id: string;
  attempt: AskedAttempt;
}

/**
 * Asks about each of our payments that the provider's list did not hold: a list may leave one out, and only an answer about the payment
 * itself says that it is not known there. Those found unknown before are asked about again. Throws the provider's error where it does not
 * answer.
 */
export async function askUnlisted(desk: AuditDesk, { from, to }: AuditSpan): Promise<void> {
  const unlisted = await desk.db.query<Unlisted>(UNLISTED, [desk.account.id, from, to, MOST_ASKED]);
  for (const { capture_id: captureId, provider_payment_id: paymentId, attempt } of unlisted) {
    if (!desk.hasTime()) return;
    const answer = await askAttempt(desk, attempt, desk.verifyMs);
    if (answer instanceof ProviderError) throw answer;
    const isKnown = answer.captures.some(({ providerPaymentId }) => providerPaymentId === paymentId);
    await desk.atomically(async (phase) => {
      await recordAnswer(phase, desk.account, captureId, isKnown);
      return [];
    });
  }
}

/** `(select … limit)` twice: each part has an index of its own. */
const UNLISTED = `
  select k.id as capture_id, k.provider_payment_id, json_build_object('id', a.id, 'reference', a.reference, 'connection_id', a.connection_id) as attempt
  from captures k join attempts a on a.id = k.attempt_id
  where k.id in ((select id from captures where connection_id = $1 and listed_at is null and captured_at between $2 and $3
      and settlement_id is null order by captured_at limit $4)
    union (select subject from discrepancies where connection_id = $1 and kind = 'unknown_at_provider' and status in ('open', 'closed') limit $4))`;

async function recordAnswer(phase: Phase, account: SettlementAccount, captureId: string, isKnown: boolean): Promise<void> {
  await takeTurn(phase, account);
  if (isKnown) await phase.sql.query('update captures set listed_at = coalesce(listed_at, $2) where id = $1', [captureId, phase.now]);
  await compareBooks(phase, account, {
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
