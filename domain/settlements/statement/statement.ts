import { type Month, monthOf } from '../../accounts/tenant/days.ts';
import { runningTotals } from '../../journal/running-totals.ts';
import { isComplete } from '../../journal/snapshots.ts';
import { firstIdAt } from '../../shared/ids.ts';
import { CURRENCY } from '../../shared/money.ts';
import { invalid } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Database, Sql } from '../../shared/sql.ts';
import { accountLines, checkOf, movementsBetween } from './add-up.ts';
import { type Counted, openAccounts, readLate, readOpen, readPayouts } from './read-lines.ts';

export type Statement = Awaited<ReturnType<typeof statementOf>>;

/**
 * A month of a tenant, such as `2026-11`, at one provider or all, as the journal had it at its end:
 * once it is closed, always the same. Throws 422 for a month that lies ahead or before the tenant.
 */
export async function statementOf(
  db: Database,
  reader: Reader,
  { month, provider, now }: { month: string; provider: Slot | null; now: Date },
) {
  const bounds = await monthOf(db, reader.tenantId, month);
  if (bounds.start > now) throw invalid({ month: 'must not lie ahead' });
  if (bounds.end <= (await beganAt(db, reader)))
    throw invalid({ month: 'must not be before the business was created' });
  const read = await readMonth(db, reader, bounds, { month, provider });
  const movements = movementsBetween(read.opening, read.closing, read.late);
  const all = [...movements, ...read.late];
  const accounts = accountLines(read.opening, all, read.closing);
  const payouts = {
    count: read.payouts[0]?.lines ?? 0,
    landed_kobo: read.payouts[0]?.total_kobo ?? 0,
    lines: read.payouts.map(uncounted),
  };
  const open = openAccounts.map((account) => {
    const lines = read.open.filter((line) => line.account === account);
    const [first] = lines;
    const sums = { count: first?.lines ?? 0, amount_kobo: first?.total_kobo ?? 0 };
    return { account, ...sums, lines: lines.map(({ account: _, ...line }) => uncounted(line)) };
  });
  return {
    object: 'statement' as const,
    ...{ month, provider, currency: CURRENCY, time_zone: bounds.timeZone },
    from: bounds.start.toISOString(),
    to: bounds.end.toISOString(),
    closed: read.isClosed,
    counted_until: (now < bounds.end ? now : bounds.end).toISOString(),
    ...{ accounts, movements, late_movements: read.late, payouts, open },
    check: checkOf({ accounts, movements: all, payouts, open }),
    ...{ mode: reader.mode, tenant_id: reader.tenantId },
  };
}

/** Anything ever moved. */
export function hasMoney({ accounts, movements }: Statement): boolean {
  const isMoved = movements.length > 0;
  return isMoved || accounts.some((one) => one.opening_kobo !== 0 || one.closing_kobo !== 0);
}

/** With the tenant, or with what was posted before it, as in a history made for it. */
export async function beganAt(sql: Sql, { tenantId, mode }: Reader): Promise<Date> {
  const [began] = await sql.query<{ at: Date }>(
    `select least(created_at, (
       select min(first.created_at) from connections c, lateral (
         select created_at from postings
         where (connection_id, id) >= (c.id, '') and (connection_id, id) < (c.id, '~')
         order by connection_id, id limit 1) first
       where c.tenant_id = $1 and c.mode = $2)) as at
     from tenants where id = $1`,
    [tenantId, mode],
  );
  return began!.at;
}

/** In one state of the journal: postings of an open month are written meanwhile. */
function readMonth(
  db: Database,
  { tenantId, mode }: Reader,
  { start, end }: Month,
  { month, provider: slot }: { month: string; provider: Slot | null },
) {
  const ids = { start: firstIdAt('btx', start), end: firstIdAt('btx', end) };
  const yearBefore = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}-01`;
  const wanted = { ...{ tenantId, mode, slot }, ...ids };
  const totalsAt = async (sql: Sql, at: Date) => {
    const totals = await runningTotals(sql, { tenantId, mode }, at);
    return totals.filter((total) => slot === null || total.slot === slot);
  };
  return db.transaction(async (sql) => {
    await sql.query('set transaction isolation level repeatable read, read only');
    return {
      isClosed: await isComplete(sql, end),
      opening: await totalsAt(sql, start),
      closing: await totalsAt(sql, end),
      late: await readLate(sql, { ...wanted, startAt: start, yearBefore }),
      payouts: await readPayouts(sql, wanted),
      open: await readOpen(sql, { ...wanted, accounts: [...openAccounts] }),
    };
  });
}

function uncounted<Line>({ lines: _, total_kobo: __, ...line }: Counted<Line>) {
  return line;
}
