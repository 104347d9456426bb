import type { Job } from '../../jobs.ts';
import type { HostedPayment, ProviderCapture, Verification } from '../../providers/provider.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { advanceCharge } from '../charge/advance.ts';
import type { CaptureFact, Evidence } from '../charge/facts.ts';
import { type ChargeStatus, isUnpaid, type ReviewReason } from '../charge/transitions.ts';
import { appendTimeline, type Entry } from '../timeline/timeline.ts';
import { usableConnections } from './connections.ts';
import { expireWhenQuiet, isOver } from './expire.ts';
import { type AttemptRow, openAttempt } from './row.ts';
import { nextCheckAt, nextReplacementAt } from './schedule.ts';
import { type AttemptFact, decideAttempt, liveAttemptStatuses } from './transitions.ts';

/** What a provider told us about one attempt. */
export type AttemptNews =
  | ({ type: 'accepted' } & HostedPayment)
  | { type: 'refused'; message: string }
  | { type: 'link lost'; message: string }
  | { type: 'ended'; message: string }
  | {
      type: 'verified';
      verification: Verification /** When the question was put, not when the answer came. */;
      askedAt: Date;
    };

/**
 * Records news of an attempt: its own move, what it means for the charge (opened, paid, failed, expired), the next attempt where one is
 * needed, and when to ask again. Everything in the caller's transaction; safe to repeat. Returns the jobs to enqueue after the commit.
 */
export async function recordAttempt(tx: Tx, attemptId: string, news: AttemptNews): Promise<Job[]> {
  const attempt = await lockAttempt(tx, attemptId);
  const jobs =
    news.type === 'verified'
      ? await recordVerification(tx, attempt, news)
      : await recordMove(tx, attempt, news);
  jobs.push(...(await expireWhenQuiet(tx, attempt.charge_id)));
  jobs.push(...(await watch(tx, attempt.id)));
  return jobs;
}

type Verified = Extract<AttemptNews, { type: 'verified' }>;

interface LockedAttempt extends AttemptRow {
  charge_number: number;
  charge_status: ChargeStatus;
  charge_expires_at: Date;
  charge_cancel_requested_at: Date | null;
  provider_wanted: string;
  tenant_id: string;
  mode: Mode;
}

/** The charge's lock comes first, as everywhere, so that two attempts of one charge cannot wait for each other. */
async function lockAttempt({ sql }: Tx, attemptId: string): Promise<LockedAttempt> {
  await sql.query(
    'select 1 from charges where id = (select charge_id from attempts where id = $1) for update',
    [attemptId],
  );
  const [attempt] = await sql.query<LockedAttempt>(
    `select a.*, c.number as charge_number, c.status as charge_status, c.expires_at as charge_expires_at,
       c.cancel_requested_at as charge_cancel_requested_at, c.provider_wanted, c.tenant_id, c.mode
     from attempts a join charges c on c.id = a.charge_id where a.id = $1`,
    [attemptId],
  );
  if (!attempt) throw new Error(`No attempt ${attemptId}.`);
  return attempt;
}

async function recordMove(
  tx: Tx,
  attempt: LockedAttempt,
  news: Exclude<AttemptNews, { type: 'verified' }>,
): Promise<Job[]> {
  const moved = await moveAttempt(
    tx,
    attempt,
    news.type,
    news.type === 'accepted' ? news : undefined,
  );
  if (!moved) return [];
  switch (news.type) {
    case 'accepted':
      return advanceCharge(tx, attempt.charge_id, {
        type: 'opened',
        slot: attempt.slot,
        connectionId: attempt.connection_id,
      });
    case 'refused':
      await note(tx, attempt, 'attempt.refused', news.message);
      return takesNoMore(attempt, tx.now) ? [] : moveOn(tx, attempt, news.message);
    case 'link lost':
      await note(tx, attempt, 'attempt.lost', news.message);
      return takesNoMore(attempt, tx.now) ? [] : replace(tx, attempt, news.message);
    case 'ended':
      await note(tx, attempt, 'attempt.expired', news.message);
      return [];
  }
}

function takesNoMore(attempt: LockedAttempt, now: Date): boolean {
  const {
    charge_status: status,
    charge_expires_at: expiresAt,
    charge_cancel_requested_at: cancelRequestedAt,
  } = attempt;
  return isOver({ status, expires_at: expiresAt, cancel_requested_at: cancelRequestedAt }, now);
}

async function recordVerification(
  tx: Tx,
  attempt: LockedAttempt,
  { verification, askedAt }: Verified,
): Promise<Job[]> {
  const { sql, now } = tx;
  const evidence = { sha256: sha256Of(verification.raw), payload: verification.raw };
  await sql.query('update attempts set verified_at = greatest(verified_at, $2) where id = $1', [
    attempt.id,
    askedAt,
  ]);
  const jobs: Job[] = [];
  for (const capture of verification.captures) {
    jobs.push(
      ...(await advanceCharge(tx, attempt.charge_id, captureFact(attempt, capture, now), evidence)),
    );
  }
  for (const words of unclearWords(verification)) {
    jobs.push(
      ...(await advanceCharge(tx, attempt.charge_id, { type: 'unclear', words }, evidence)),
    );
  }
  const fact = factOf(
    verification,
    attempt.link_expires_at !== null && attempt.link_expires_at <= askedAt,
  );
  if (!fact || !(await moveAttempt(tx, attempt, fact)) || fact === 'captured') return jobs;
  const message = verification.failureMessage ?? 'The payment link ended unpaid.';
  await note(tx, attempt, `attempt.${decideAttempt(attempt.status, fact)}`, message, evidence);
  if (fact === 'declined' && !(await hasLiveAttempt(tx, attempt.charge_id))) {
    jobs.push(
      ...(await advanceCharge(tx, attempt.charge_id, { type: 'declined', message }, evidence)),
    );
  }
  return jobs;
}

/** While its link lives, a payment that nobody tried yet, or tried in vain, is no news: the payer may still pay. */
function factOf({ state, captures }: Verification, linkHasEnded: boolean): AttemptFact | undefined {
  if (captures.length > 0) return 'captured';
  if (linkHasEnded && state === 'retrying') return 'declined';
  if (linkHasEnded && state === 'absent') return 'ended';
  return state === 'declined' || state === 'ended' ? state : undefined;
}

function unclearWords({ state, status, unknownWords }: Verification): string[] {
  return state === 'unknown' ? [`status "${status}"`, ...unknownWords] : unknownWords;
}

function captureFact(attempt: LockedAttempt, capture: ProviderCapture, now: Date): CaptureFact {
  return {
    ...capture,
    type: 'captured',
    attemptId: attempt.id,
    attemptReference: attempt.reference,
    attemptedAt: attempt.created_at,
    connectionId: attempt.connection_id,
    slot: attempt.slot,
    capturedAt: capture.capturedAt ?? now,
  };
}

/** Writes the attempt's own move, if its table has one for this fact. */
async function moveAttempt(
  { sql, now }: Tx,
  attempt: AttemptRow,
  fact: AttemptFact,
  link?: HostedPayment,
): Promise<boolean> {
  const to = decideAttempt(attempt.status, fact);
  if (to === undefined) return false;
  await sql.query(
    `update attempts set status = $2, url = coalesce($3, url), link_expires_at = coalesce($4, link_expires_at),
       accepted_at = coalesce(accepted_at, $5) where id = $1`,
    [attempt.id, to, link?.url ?? null, endOf(link, now), link ? now : null],
  );
  return true;
}

function endOf(link: HostedPayment | undefined, now: Date): Date | null {
  return link && link.linkExpiresInMs !== null
    ? new Date(now.getTime() + link.linkExpiresInMs)
    : null;
}

/** After a definite refusal: the next connection of the mode in order, where any may be used; else, with nothing live, the charge fails. */
async function moveOn(tx: Tx, attempt: LockedAttempt, message: string): Promise<Job[]> {
  const [next] =
    attempt.provider_wanted === 'auto' ? await usableConnections(tx.sql, attempt.charge_id) : [];
  if (next) {
    const charge = { id: attempt.charge_id, number: attempt.charge_number };
    return [
      await openAttempt(tx, charge, {
        connectionId: next.id,
        slot: next.slot,
        dueAt: tx.now,
      }),
    ];
  }
  if (await hasLiveAttempt(tx, attempt.charge_id)) return [];
  return advanceCharge(tx, attempt.charge_id, {
    type: 'refused',
    message: `No provider took the payment: ${message}`,
  });
}

/** A lost link needs another payment, at the same connection while that may be used; the more were lost, the longer it waits. */
async function replace(tx: Tx, attempt: LockedAttempt, message: string): Promise<Job[]> {
  const [at] = await tx.sql.query<{ usable: boolean; made: number }>(
    `select disabled_at is null as usable, (select count(*)::int from attempts where charge_id = $2) as made from connections where id = $1`,
    [attempt.connection_id, attempt.charge_id],
  );
  if (!at?.usable) return moveOn(tx, attempt, message);
  const charge = { id: attempt.charge_id, number: attempt.charge_number };
  const dueAt = nextReplacementAt(at.made, tx.now);
  return [
    await openAttempt(tx, charge, {
      connectionId: attempt.connection_id,
      slot: attempt.slot,
      dueAt,
    }),
  ];
}

async function hasLiveAttempt({ sql }: Tx, chargeId: string): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from attempts where charge_id = $1 and status = any($2) limit 1',
    [chargeId, liveAttemptStatuses],
  );
  return rows.length > 0;
}

function note(
  tx: Tx,
  attempt: LockedAttempt,
  what: string,
  detail: string,
  evidence?: Evidence,
): Promise<void> {
  const entry: Entry = { what, detail, attemptId: attempt.id };
  return appendTimeline(
    tx,
    { id: attempt.charge_id, tenant_id: attempt.tenant_id, mode: attempt.mode },
    [entry],
    evidence,
  );
}

/** Sets when the attempt is asked about again, from what is written by now, and returns that job. */
async function watch({ sql, now }: Tx, attemptId: string): Promise<Job[]> {
  const row = await loadWatched(sql, attemptId);
  if (row.status === 'sending') return [];
  const dueAt = dueAgainAt(row, now);
  await sql.query('update attempts set due_at = $2 where id = $1', [attemptId, dueAt]);
  return dueAt ? [{ queue: 'charge-check', id: attemptId, tries: row.tries, dueAt }] : [];
}

/** When an attempt that was asked about in vain is asked about again: at the next point of its schedule, null when there is none. */
export async function nextCheckOf(sql: Sql, attemptId: string, now: Date): Promise<Date | null> {
  return dueAgainAt(await loadWatched(sql, attemptId), now);
}

interface WatchedAttempt extends AttemptRow {
  charge_status: ChargeStatus;
  charge_expires_at: Date;
  charge_cancel_requested_at: Date | null;
  charge_review: ReviewReason[];
  failed_at: Date | null;
}

async function loadWatched(sql: Sql, attemptId: string): Promise<WatchedAttempt> {
  const [row] = await sql.query<WatchedAttempt>(
    `select a.*, c.status as charge_status, c.expires_at as charge_expires_at, c.cancel_requested_at as charge_cancel_requested_at,
       c.review as charge_review, c.failed_at
     from attempts a join charges c on c.id = a.charge_id where a.id = $1`,
    [attemptId],
  );
  return row!;
}

function dueAgainAt(row: WatchedAttempt, now: Date): Date | null {
  if (!isWatched(row)) return null;
  const watched = {
    since: row.accepted_at ?? row.sent_at ?? row.created_at,
    linkExpiresAt: row.link_expires_at,
    chargeExpiresAt: row.charge_expires_at,
    // Too little has come: no wish ends that, and the payer may still send the rest.
    cancelRequestedAt: row.charge_review.includes('underpaid')
      ? null
      : row.charge_cancel_requested_at,
    failedAt: row.failed_at,
    verifiedAt: row.verified_at,
  };
  return nextCheckAt(watched, now);
}

/**
 * A captured attempt of an unpaid charge holds too little: the payer may send the rest under the same payment. An ended link may still
 * have a slow transfer on its way, whether the charge is paid by another one meanwhile or not.
 */
function isWatched({ status, sent_at, failed_at, charge_status }: WatchedAttempt): boolean {
  if (status === 'open' || status === 'lost') return true;
  if (status === 'captured') return isUnpaid(charge_status);
  if (status === 'expired' && failed_at === null) return sent_at !== null;
  return failed_at !== null && (status === 'declined' || status === 'expired');
}
