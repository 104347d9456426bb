import { isDeferral, ProviderError } from '../../providers/port/provider-error.ts';
import type { UnreadRow } from '../../providers/port/settlement.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import { discrepanciesOf, recordDifferences } from '../discrepancy/record-differences.ts';
import type { SettlementContext, Span } from './context.ts';
import { recordStatement } from './record-statement.ts';
import type { SettlementRow } from './row.ts';
import { MOST_FAILED_READS, readAgainAt } from './schedule.ts';
import { stepTransitions } from './transitions.ts';

/*
 * A settlement that cannot be read is a discrepancy and hides nothing else: the others are read,
 * and payments are searched for that no settlement holds. It is read again, less and less often.
 */

export async function recordUnreadable(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  await recordDifferences(tx, account, {
    differences: UNREADABLE,
    scope: `d.kind = 'unreadable'`,
    values: [],
  });
}

const UNREADABLE = `
  select 'unreadable' as kind, id as subject, id as settlement_id, null as line_id,
    null as charge_id, null as reference, coalesce(stated_amount_kobo, 0) as amount_kobo,
    0::bigint as difference_kobo, coalesce(expected_date, created_at::date) as day,
    null::bigint as ours_kobo, stated_amount_kobo as theirs_kobo, unreadable_reason as other
  from settlements where connection_id = $1 and unreadable_reason is not null`;

/**
 * SQL, true of the day `day`: a settlement that may hold the payments of that day cannot be read to
 * its end, and no person has accepted that. It may be `graceDays` late.
 */
export function mayBeUnreadOn(day: string, graceDays: number): string {
  const closed = discrepanciesOf('closed', { kind: `'unreadable'`, subject: 'unread.id' });
  return `(select 1 from settlements unread
    where unread.connection_id = $1 and unread.step = 'unreadable'
      and unread.expected_date between ${day} and ${day} + ${graceDays} and not exists (${closed})
    limit 1) is not null`;
}

const MOST_NAMED = 1_000;

/** The newest first. */
export function unreadPayouts({ db, account }: Pick<SettlementContext, 'db' | 'account'>) {
  return db.query<UnreadRow>(
    `select provider_settlement_id as name, unreadable_reason as why from settlements
     where connection_id = $1 and unreadable_reason is not null order by id desc limit $2`,
    [account.id, MOST_NAMED],
  );
}

export type ReadSettlement = Pick<SettlementRow, 'id' | 'statement_version' | 'failed_reads'>;

/**
 * Notes that the provider failed to answer about a settlement. True: it counts as unreadable from
 * now on, and the round goes on without it. False: the next round tries again.
 */
export async function recordFailedRead(
  { db, clock }: Pick<SettlementContext, 'db' | 'clock'>,
  { id, statement_version: version, failed_reads: failedBefore }: ReadSettlement,
  error: ProviderError,
): Promise<boolean> {
  if (error.refusesCredentials) return false; // no settlement can be read
  const failedReads = failedBefore + 1;
  const isUnreadable = failedReads >= MOST_FAILED_READS;
  const { 'lines unreadable': unreadable } = stepTransitions.read_lines;
  const noted = await db.query(
    `update settlements set failed_reads = $3, step = coalesce($4, step),
       unreadable_reason = coalesce($5, unreadable_reason), read_again_at = $6
     where id = $1 and step = 'read_lines' and statement_version = $2 returning 1`,
    [
      ...[id, version, failedReads, isUnreadable ? unreadable : null],
      ...[isUnreadable ? error.message : null, readAgainAt(clock(), failedReads)],
    ],
  );
  return isUnreadable && noted.length > 0;
}

/**
 * Makes settlements due whose lines could not be read and are to be read again by now, from the
 * first page on, and asks anew for statements that were not clear and are not of this span.
 */
export async function tryAgain(context: SettlementContext, span: Span): Promise<void> {
  const { db, account, clock, triesAllAgain = false } = context;
  await db.query(
    `update settlements set step = '${stepTransitions.unreadable['due again']}',
       statement_version = statement_version + 1, lines_cursor = null
     where connection_id = $1 and step in ('unreadable', 'unclear') and stated_state = 'landed'
       and ($3 or read_again_at <= $2)`,
    [account.id, clock(), triesAllAgain],
  );
  for (const unclear of await unclearStatements(context, span)) {
    if (!context.hasTime()) return;
    await askAgain(context, unclear);
  }
}

const MAX_ASKED_AGAIN = 10;

type UnclearStatement = Pick<SettlementRow, 'id' | 'expected_date' | 'failed_reads'>;

/** The list of the span has stated those of its days anew. */
function unclearStatements({ db, account, clock }: SettlementContext, { from, to }: Span) {
  return db.query<UnclearStatement>(
    `select id, expected_date, failed_reads from settlements
     where connection_id = $1 and step = 'unreadable' and stated_state = 'unclear'
       and read_again_at <= $2 and not expected_date between $3::date and $4::date
     order by read_again_at limit ${MAX_ASKED_AGAIN}`,
    [account.id, clock(), from, to],
  );
}

async function askAgain(context: SettlementContext, unclear: UnclearStatement): Promise<void> {
  const { account, provider, timeoutMs, clock, db } = context;
  const { id, expected_date: day, failed_reads: failedBefore } = unclear;
  const [from, to] = [`${day}T00:00:00+01:00`, `${day}T23:59:59+01:00`].map((at) => new Date(at!));
  const failedReads = failedBefore + 1;
  await db.query('update settlements set failed_reads = $2, read_again_at = $3 where id = $1', [
    ...[id, failedReads, readAgainAt(clock(), failedReads)],
  ]);
  try {
    let cursor: string | null = null;
    do {
      const page = await provider.listSettlements({ from: from!, to: to!, cursor }, { timeoutMs });
      for (const stated of page.rows)
        await context.inTx((tx) => recordStatement(tx, account, stated));
      cursor = page.next;
    } while (cursor !== null && context.hasTime());
  } catch (error) {
    if (!(error instanceof ProviderError) || isDeferral(error)) throw error;
  }
}
