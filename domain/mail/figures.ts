import type { Sql } from '../shared/sql.ts';
import { type MailEnd, mailEnds } from './store.ts';

export interface MailFigures {
  /** Ended since. */
  ended: Record<MailEnd, number>;
  /** For another try: after one that failed, or for the next day of their business's limit. */
  waiting: { failure: number; limit: number };
  /** 0: none waits. */
  oldestWaitingMs: number;
}

/** No figure counts more. */
const MAX_READ = 10_000;

/** Counts for all tenants. */
export async function mailFigures(sql: Sql, since: Date, now: Date): Promise<MailFigures> {
  const [ended, [waiting]] = await Promise.all([
    sql.query<{ status: MailEnd; count: number }>(ENDED, [since, MAX_READ]),
    sql.query<MailFigures['waiting'] & { oldest: Date | null }>(WAITING, [MAX_READ]),
  ]);
  const { failure, limit, oldest } = waiting!;
  return {
    ended: {
      ...(Object.fromEntries(mailEnds.map((status) => [status, 0])) as MailFigures['ended']),
      ...Object.fromEntries(ended.map((row) => [row.status, row.count])),
    },
    waiting: { failure, limit },
    oldestWaitingMs: oldest ? now.getTime() - oldest.getTime() : 0,
  };
}

const ENDED = `
  select status, count(*)::int as count from (
    select status from mails where finished_at >= $1 order by finished_at desc limit $2) ended
  group by status`;

/** Reminders and notices are written long before they are due. */
const WAITING = `
  select count(*) filter (where snoozes = 0)::int as failure,
    count(*) filter (where snoozes > 0)::int as "limit",
    min(created_at) filter (where kind not in
      ('refunds_waiting', 'discrepancies_opened', 'payment_link_reminder')) as oldest
  from (
    select kind, snoozes, created_at from mails where tries > 0 and due_at is not null
    order by created_at limit $1) waiting`;
