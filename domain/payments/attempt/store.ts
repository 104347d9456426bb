import type { Job } from '../../jobs.ts';
import { newId } from '../../shared/ids.ts';
import { plainArray, rowsWrite, type Sql } from '../../shared/sql.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { isOpenRow } from '../charge/ending.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { AttemptDecision } from './decide.ts';
import { newAttemptReference } from './reference.ts';
import type { AttemptRow } from './row.ts';
import { firstCheckAfterFailure } from './schedule.ts';
import { attemptTransitions, knownAttemptStatuses, watchedAttemptStatuses } from './transitions.ts';

export function findAttempts(sql: Sql, chargeId: string): Promise<AttemptRow[]> {
  return sql.query<AttemptRow>('select * from attempts where charge_id = $1 order by id', [
    chargeId,
  ]);
}

export async function openAttempt(
  { sql, now, enqueue }: Tx,
  charge: { id: string; number: number },
  at: { connectionId: string; slot: string; dueAt: Date },
): Promise<void> {
  const id = newId('att', now);
  await sql.query(
    `insert into attempts (id, charge_id, connection_id, slot, reference, status, due_at,
     created_at)
     values ($1, $2, $3, $4, $5, 'queued', $6, $7)`,
    [id, charge.id, at.connectionId, at.slot, newAttemptReference(charge.number), at.dueAt, now],
  );
  enqueue({ queue: 'charge-create', id, group: at.connectionId, dueAt: at.dueAt });
}

export interface AttemptChange extends Partial<Omit<AttemptDecision, 'effects'>> {
  dueAt?: Date | null;
}

/** The charge must be locked. */
export async function updateAttempt(
  { write }: Tx,
  id: string,
  { status, link, verifiedAt, dueAt }: AttemptChange,
): Promise<void> {
  await write(
    attemptChange({
      key: id,
      status: status ?? null,
      url: link?.url ?? null,
      link_expires_at: link?.expiresAt ?? null,
      accepted_at: link?.acceptedAt ?? null,
      verified_at: verifiedAt ?? null,
      is_scheduled: dueAt === undefined ? null : true,
      due_at: dueAt ?? null,
    }),
  );
}

const attemptChange = rowsWrite(
  'attempt',
  {
    key: 'text',
    status: 'text',
    url: 'text',
    link_expires_at: 'timestamptz',
    accepted_at: 'timestamptz',
    verified_at: 'timestamptz',
    is_scheduled: 'boolean',
    due_at: 'timestamptz',
  },
  `update attempts a set status = coalesce(row.status, a.status), url = coalesce(row.url, a.url),
    link_expires_at = coalesce(row.link_expires_at, a.link_expires_at),
    accepted_at = coalesce(a.accepted_at, row.accepted_at),
    verified_at = greatest(a.verified_at, row.verified_at),
    due_at = case when row.is_scheduled then row.due_at else a.due_at end
  from :rows where a.id = row.key`,
  { nullLeaves: true },
);

export function changed<Row extends AttemptRow>(
  attempt: Row,
  { status, link, verifiedAt }: AttemptChange,
): Row {
  return {
    ...attempt,
    status: status ?? attempt.status,
    url: link?.url ?? attempt.url,
    link_expires_at: link?.expiresAt ?? attempt.link_expires_at,
    accepted_at: attempt.accepted_at ?? link?.acceptedAt ?? null,
    verified_at: latest(attempt.verified_at, verifiedAt ?? null),
  };
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

type Claimed = Pick<AttemptRow, 'id' | 'tries'>;

export interface SendingAttempt extends Claimed, Pick<AttemptRow, 'charge_id'> {}

/**
 * Marks attempts as being sent and returns those that may be: the claim lasts until `untilAt`, and
 * the charge is unpaid and not over. The charge's lock shows whoever cancels it whether an attempt
 * was sent. Charges that others lock are left out, unless it `waits`.
 */
export async function markSending(
  sql: Sql,
  attempts: readonly SendingAttempt[],
  { now, untilAt, waits }: { now: Date; untilAt: Date; waits: boolean },
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(waits ? MARK_WAITING : MARK_UNLOCKED, [
    plainArray(attempts.map(({ id }) => id)),
    plainArray(attempts.map(({ tries }) => tries)),
    plainArray(attempts.map(({ charge_id: chargeId }) => chargeId)),
    now,
    untilAt,
  ]);
  return new Set(rows.map(({ id }) => id));
}

const mark = (wait: '' | 'skip locked') => `
  with charge as materialized (
    select id from charges where id = any($3) and ${isOpenRow('charges')}
      and cancel_requested_at is null and expires_at > $4 order by id for share ${wait}
  )
  update attempts a set sent_at = coalesce(a.sent_at, $4),
    status = case a.status when 'queued' then 'sending' else a.status end
  from unnest($1::text[], $2::int[], $3::text[]) as sent (id, tries, charge_id)
  where a.id = sent.id and a.tries = sent.tries and a.due_at > $5
    and a.status in ('queued', 'sending', 'unconfirmed')
    and sent.charge_id in (select id from charge)
  returning a.id`;
const MARK_WAITING = mark('');
const MARK_UNLOCKED = mark('skip locked');

/** Only where the provider surely was not reached. One sent before stays unconfirmed. */
export async function markNotReached(sql: Sql, { id, tries }: Claimed): Promise<void> {
  await sql.query(
    `update attempts set status = 'queued', sent_at = null where id = $1 and tries = $2
     and status = any($3)`,
    [id, tries, statusesBefore(attemptTransitions, 'not reached')],
  );
}

export async function markUnconfirmed(sql: Sql, { id, tries }: Claimed): Promise<void> {
  await sql.query(
    `update attempts set status = 'unconfirmed' where id = $1 and tries = $2 and status = any($3)`,
    [id, tries, statusesBefore(attemptTransitions, 'unclear')],
  );
}

/** False where another worker claimed it meanwhile. */
export async function moveToConnection(
  sql: Sql,
  { id, tries }: Claimed,
  to: { connectionId: string; slot: string; dueAt: Date },
): Promise<boolean> {
  const moved = await sql.query(
    `update attempts set connection_id = $3, slot = $4, due_at = $5
     where id = $1 and tries = $2 and status = 'queued' returning 1`,
    [id, tries, to.connectionId, to.slot, to.dueAt],
  );
  return moved.length > 0;
}

/** Without jobs: sweeps find them when they are due. */
export async function bringChecksForward({ sql }: Tx, chargeId: string, dueAt: Date) {
  await sql.query(
    `update attempts set due_at = least(due_at, $2) where charge_id = $1
     and status in ('open', 'lost')`,
    [chargeId, dueAt],
  );
}

/** Without jobs: sweeps find them when they are due. */
export async function watchAfterFailure(
  { write, now }: Tx,
  { id, failure_cause: cause }: Pick<ChargeRow, 'id' | 'failure_cause'>,
): Promise<void> {
  const dueAt = firstCheckAfterFailure(now, cause === 'declined');
  await write(watchedAttempts({ key: id, due_at: dueAt, now }));
}

const watchedAttempts = rowsWrite(
  'watched',
  { key: 'text', due_at: 'timestamptz', now: 'timestamptz' },
  // Locked in the order in which workers settle them, so that neither waits for the other.
  `update attempts a set due_at = watched.due_at from (
    select w.id, row.due_at from :rows join attempts w on w.charge_id = row.key
    where (w.due_at is null or w.due_at > row.now)
      and w.status in (${watchedAttemptStatuses.map((status) => `'${status}'`).join(', ')})
    order by w.id for update of w
  ) watched where a.id = watched.id`,
  { apartFrom: 'attempt' },
);

/** Captured and refused ones too. */
export async function checkAllAttemptsNow(
  { sql, now, enqueue }: Tx,
  chargeId: string,
): Promise<void> {
  const rows = await sql.query<Pick<Job, 'id' | 'group'>>(
    `update attempts set due_at = $2
     where charge_id = $1 and status = any($3) and (due_at is null or due_at > $2)
     returning id, connection_id as "group"`,
    [chargeId, now, knownAttemptStatuses],
  );
  enqueue(...rows.map((row) => ({ ...row, queue: 'charge-check' as const, dueAt: now })));
}
