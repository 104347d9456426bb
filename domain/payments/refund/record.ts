import type { Job } from '../../jobs.ts';
import type { ProviderRefund } from '../../providers/provider.ts';
import { formatNaira } from '../../shared/money.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { advanceCharge } from '../charge/advance.ts';
import type { Evidence } from '../charge/facts.ts';
import type { ChargeRow } from '../charge/row.ts';
import { tellSentTwice } from '../dispute/twice.ts';
import { resolveReviews } from '../review/open.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { refundedOf } from './gone.ts';
import { type RefundRow, refundView } from './row.ts';
import { nextLookAt, nextRefundCheckAt } from './schedule.ts';
import { decideRefund, type RefundFact } from './transitions.ts';

/** What became known of a refund that was asked of a provider. */
export type RefundNews =
  | { type: 'stated'; refund: ProviderRefund }
  /** It surely was not and will not be taken. */
  | { type: 'refused'; message: string }
  /** It was not sent, for the whole payment had gone back before. */
  | { type: 'gone'; message: string }
  /** It may have been taken. `sendsAgain`: the provider pays one id once, so it may be sent again. */
  | { type: 'unclear'; message: string; sendsAgain: boolean }
  /** It cannot be sent again before somebody else has acted. */
  | { type: 'held'; reason: string }
  /** No answer to a question about it. */
  | { type: 'silent' };

/**
 * Records news of a refund: its own move, what it means for the charge, the event, and when to ask again. Everything in the caller's
 * transaction; safe to repeat. Returns the jobs to enqueue after the commit.
 */
export async function recordRefund(tx: Tx, refundId: string, news: RefundNews): Promise<Job[]> {
  const { charge, refund } = await lockRefund(tx, refundId);
  switch (news.type) {
    case 'stated':
      return recordStated(tx, charge, refund, news.refund);
    case 'refused':
    case 'gone':
      return end(tx, charge, refund, {
        fact: 'failed',
        message: news.message,
        isDone: news.type === 'gone',
      });
    case 'unclear':
      return leaveOpen(tx, charge, refund, news);
    case 'held':
      return watch(tx, refund, news.reason);
    case 'silent':
      return watch(tx, refund, refund.attention);
  }
}

interface RefundedCharge extends ChargeRow {
  capture_id: string | null;
}

/** The charge's lock comes first, as everywhere. */
async function lockRefund(
  { sql }: Tx,
  refundId: string,
): Promise<{ charge: RefundedCharge; refund: RefundRow }> {
  const [charge] = await sql.query<RefundedCharge>(
    'select * from charges where id = (select charge_id from refunds where id = $1) for update',
    [refundId],
  );
  const [refund] = await sql.query<RefundRow>(
    'select r.*, c.number, c.currency from refunds r join charges c on c.id = r.charge_id where r.id = $1',
    [refundId],
  );
  if (!charge || !refund) throw new Error(`No refund ${refundId}.`);
  return { charge, refund };
}

async function recordStated(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  stated: ProviderRefund,
): Promise<Job[]> {
  const evidence = { sha256: sha256Of(stated.raw), payload: stated.raw };
  const held = await writeAcceptance(tx, charge, refund, stated, evidence);
  if (stated.state === 'completed') {
    return end(tx, charge, held, {
      fact: 'completed',
      completedAt: stated.completedAt ?? tx.now,
      evidence,
    });
  }
  if (stated.state === 'failed') {
    return end(tx, charge, held, {
      fact: 'failed',
      message: stated.message ?? 'The provider could not send the money back.',
      evidence,
    });
  }
  const attention = attentionOf(stated);
  if (attention !== null && attention !== refund.attention && held.status === 'processing') {
    await note(tx, charge, held, { what: 'refund.attention', detail: attention, evidence });
  }
  return watch(tx, held.status === 'failed' ? { ...held, due_at: tx.now } : held, attention);
}

function attentionOf({ state, status, message }: ProviderRefund): string | null {
  if (state === 'attention')
    return message ?? 'It stands still until somebody acts on it in the provider’s dashboard.';
  return state === 'unknown' ? `The provider states "${status}", which we do not know.` : null;
}

/** From here on the provider has it. */
async function writeAcceptance(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  stated: ProviderRefund,
  evidence: Evidence,
): Promise<RefundRow> {
  const status = decideRefund(refund.status, 'sent') ?? refund.status;
  if (refund.provider_refund_id === null) await uniteWithTwin(tx, refund, stated.providerRefundId);
  const [held] = await tx.sql.query<RefundRow>(
    `update refunds set status = $2, provider_refund_id = coalesce(provider_refund_id, $3), sent_at = coalesce(sent_at, $4),
       accepted_at = coalesce(accepted_at, $4) where id = $1 returning *`,
    [refund.id, status, stated.providerRefundId, tx.now],
  );
  if (refund.accepted_at === null) {
    await note(tx, charge, refund, {
      what: 'refund.accepted',
      detail: 'The provider took the refund.',
      evidence,
    });
  }
  return { ...refund, ...held! };
}

/** A list that did not carry our id may have had it taken in as begun elsewhere, before its own answer came: it is one refund, not two. */
async function uniteWithTwin(
  { sql }: Tx,
  { id, connection_id: connectionId }: RefundRow,
  providerRefundId: string,
): Promise<void> {
  await sql.query(
    `update refunds set status = 'cancelled', rejection_reason = $4, provider_refund_id = null, due_at = null, attention = null
     where connection_id = $2 and provider_refund_id = $3 and origin = 'provider' and id <> $1`,
    [id, connectionId, providerRefundId, `It is the refund ${id}, seen twice.`],
  );
}

/** Where the outcome is open, nothing is sent again but to a provider that pays one id once. */
async function leaveOpen(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  { message, sendsAgain }: { message: string; sendsAgain: boolean },
): Promise<Job[]> {
  const detail = `What became of the refund is not known: ${message}`;
  const looks =
    refund.attention === null && !sendsAgain && refund.sent_at !== null
      ? nextLookAt(refund.sent_at, tx.now)
      : null;
  if (looks || sendsAgain) return watch(tx, refund, null, looks);
  if (refund.attention !== LOOK_AT_PROVIDER) {
    await note(tx, charge, refund, {
      what: 'refund.attention',
      detail: `${detail}. ${LOOK_AT_PROVIDER}`,
    });
  }
  return watch(tx, refund, LOOK_AT_PROVIDER);
}

const LOOK_AT_PROVIDER =
  'Whether the provider took this refund is not known, so it is not sent again. Look in the provider’s dashboard: when it is there, it is found by itself; when it is not, an operator can send it again or give it up.';
const TOO_LONG = 'The provider has not finished it in 20 days. Look in the provider’s dashboard.';

/**
 * Sets when the refund is asked about again, from what is written by now, and returns that job. One that was given up, and that its
 * provider shows under way all the same, is followed too: while it is due, its money may be going.
 */
async function watch(
  { sql, now }: Tx,
  refund: RefundRow,
  attention: string | null,
  at?: Date | null,
): Promise<Job[]> {
  if (refund.status !== 'processing' && !(refund.status === 'failed' && refund.due_at !== null))
    return [];
  const dueAt = at ?? nextRefundCheckAt(refund.accepted_at ?? refund.sent_at ?? now, now);
  const [row] = await sql.query<{ tries: number }>(
    'update refunds set attention = $2, due_at = $3 where id = $1 returning tries',
    [refund.id, attention ?? (dueAt === null ? TOO_LONG : null), dueAt],
  );
  return dueAt ? [{ queue: 'refund-check', id: refund.id, tries: row!.tries, dueAt }] : [];
}

type Ending = { evidence?: Evidence } & (
  | { fact: Extract<RefundFact, 'completed'>; completedAt: Date }
  | {
      fact: Extract<RefundFact, 'failed'>;
      message: string /** The money has gone back all the same. */;
      isDone?: boolean;
    }
);

/** Writes how a refund ended, once. What the service sends back by itself is no news for the merchant. */
async function end(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  ending: Ending,
): Promise<Job[]> {
  const from = decideRefund(refund.status, 'sent') ?? refund.status;
  const status = decideRefund(from, ending.fact);
  if (status === undefined) return stopWatching(tx, refund);
  const failed = ending.fact === 'failed' ? ending.message : null;
  const [row] = await tx.sql.query<RefundRow>(
    `update refunds set status = $2, failure_message = $3, completed_at = $4, attention = null, due_at = null where id = $1 returning *`,
    [refund.id, status, failed, ending.fact === 'completed' ? ending.completedAt : null],
  );
  const ended: RefundRow = { ...refund, ...row! };
  const detail = `${formatNaira(ended.amount_kobo)} ${failed === null ? 'went back to the payer' : `did not go back: ${failed}`} (${ended.id}).`;
  await note(tx, charge, ended, {
    what: `refund.${status}`,
    detail,
    ...(ending.evidence && { evidence: ending.evidence }),
  });
  const isOwn = ended.origin !== 'system';
  const jobs = isOwn ? await publish(tx, ended) : [];
  if (ending.fact === 'failed')
    return isOwn || ending.isDone ? jobs : tellNotReturned(tx, charge, ended, ending.message);
  if (ended.capture_id !== charge.capture_id) await closeQuestions(tx, ended);
  else if (isOwn) jobs.push(...(await tellRefunded(tx, charge, ending.evidence)));
  return [...jobs, ...(await tellSentTwice(tx, charge.id, ended.capture_id!))];
}

/** It ended as it had before. */
async function stopWatching({ sql }: Tx, { id }: RefundRow): Promise<Job[]> {
  await sql.query(
    `update refunds set due_at = null, attention = null where id = $1 and status = 'failed'`,
    [id],
  );
  return [];
}

/** A payment that is not the charge's and has gone back whole, by whomever, leaves nothing to decide. */
async function closeQuestions(
  tx: Tx,
  { charge_id: chargeId, capture_id: captureId }: RefundRow,
): Promise<void> {
  const [rest] = await tx.sql.query<{ kobo: number }>(
    `select (k.amount_kobo - sum(r.amount_kobo))::bigint as kobo from captures k join refunds r on r.capture_id = k.id
     where k.id = $1 and r.status = 'completed' group by k.id`,
    [captureId],
  );
  if (!rest || rest.kobo > 0) return;
  for (const reason of ['extra_capture', 'underpaid', 'capture_mismatch'] as const) {
    await resolveReviews(tx, { chargeId, captureId, reason });
  }
}

function publish(tx: Tx, refund: RefundRow): Promise<Job[]> {
  const type = refund.status === 'completed' ? 'refund.completed' : 'refund.failed';
  return publishEvent(tx, {
    tenantId: refund.tenant_id,
    mode: refund.mode,
    type,
    subjectId: refund.id,
    data: refundView(refund),
  });
}

/** The charge hears the sum, so it may hear of it twice. */
async function tellRefunded(tx: Tx, charge: RefundedCharge, evidence?: Evidence): Promise<Job[]> {
  return advanceCharge(
    tx,
    charge.id,
    { type: 'refunded', ...(await refundedOf(tx.sql, charge.id)) },
    evidence,
  );
}

/** Money that is not the charge's could not be sent back: a person decides. */
function tellNotReturned(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  message: string,
): Promise<Job[]> {
  return advanceCharge(tx, charge.id, {
    type: 'not returned',
    captureId: refund.capture_id!,
    amountKobo: refund.amount_kobo,
    message,
  });
}

function note(
  tx: Tx,
  charge: RefundedCharge,
  refund: RefundRow,
  { what, detail, evidence }: { what: string; detail: string; evidence?: Evidence },
): Promise<void> {
  return appendTimeline(tx, charge, [{ what, detail, amountKobo: refund.amount_kobo }], evidence);
}
