import type { Sql } from '../../shared/sql.ts';
import { discrepanciesFrom } from '../discrepancy/find.ts';
import type { DiscrepancyRow } from '../discrepancy/row.ts';
import { paysOut, type SettlementAccount, termsOf } from './account.ts';
import { owed } from './deductions.ts';
import { isFoundMissing } from './missing.ts';
import type { SettlementRow } from './row.ts';
import { UNSETTLED } from './unsettled.ts';

/** ISO dates in Lagos, both counted in. */
export interface ReportDays {
  from: string;
  to: string;
}

/** Payments, and what they come to after fees. */
export interface Payments {
  count: number;
  kobo: number;
}

/** What the payouts of some days come to, for one connection. All kobo. */
export interface Report {
  /** Paid out, with what they should have been by our books. */
  settlements: SettlementRow[];
  /** Given up by the provider: their payments are expected as before. */
  failed: SettlementRow[];
  /** Not paid out, longer after their day than the provider takes, and found missing when it was last asked. */
  overdue: Payments;
  /** Not paid out, and not found missing. */
  underWay: Payments;
  /** Of which the provider knows nothing any more. */
  unknown: Payments;
  /** Went back to payers, or their banks, and still to be taken out of a payout. Whatever the days. */
  owedKobo: number;
  /** Open, and closed by a person; at most `mostDiscrepancies`, the largest first. */
  discrepancies: DiscrepancyRow[];
  sums: ReportSums;
}

/** difference = expected - landed = discrepancies + closed + unexplained. */
export interface ReportSums {
  expectedKobo: number;
  landedKobo: number;
  differenceKobo: number;
  /** Still open, and what they explain. */
  openCount: number;
  openKobo: number;
  /** Closed by a person with a reason, and still so. */
  closedCount: number;
  closedKobo: number;
  /** Nothing, or our books are wrong. */
  unexplainedKobo: number;
}

/** The most settlements and discrepancies a report lists. Its sums are of all. */
export const mostSettlements = 1_000;
export const mostDiscrepancies = 1_000;

/**
 * Says what the payouts of some days should have come to and what landed, and explains the difference to the kobo. Reads alone: reconcile
 * first.
 */
export async function reportOn(
  sql: Sql,
  account: SettlementAccount,
  days: ReportDays,
): Promise<Report> {
  const span = [account.id, days.from, days.to];
  const paidOut = await settlementsOf(sql, span, `status in ('landed', 'short')`);
  const failed = await settlementsOf(sql, span, `status = 'failed'`);
  const [sums] = await sql.query<{ expected: number; landed: number }>(
    `select coalesce(sum(expected_amount_kobo), 0)::bigint as expected, coalesce(sum(landed_amount_kobo), 0)::bigint as landed
     from settlements where connection_id = $1 and expected_date between $2 and $3 and status in ('landed', 'short')`,
    span,
  );
  const waiting = await unsettledOf(sql, account, days);
  const { unknownCount, unknownKobo, ...found } = await sumDiscrepancies(sql, span);
  const expectedKobo = sums!.expected + waiting.overdue.kobo + unknownKobo;
  const differenceKobo = expectedKobo - sums!.landed;
  return {
    settlements: paidOut,
    failed,
    ...waiting,
    unknown: { count: unknownCount, kobo: unknownKobo },
    owedKobo: await owedOf(sql, account),
    discrepancies: await discrepanciesOf(sql, span),
    sums: {
      ...{ expectedKobo, landedKobo: sums!.landed, differenceKobo, ...found },
      unexplainedKobo: differenceKobo - found.openKobo - found.closedKobo,
    },
  };
}

function settlementsOf(sql: Sql, span: readonly string[], which: string): Promise<SettlementRow[]> {
  return sql.query<SettlementRow>(
    `select *, expected_date::text from settlements s where connection_id = $1 and expected_date between $2 and $3 and ${which}
     order by s.expected_date, id limit ${mostSettlements}`,
    span,
  );
}

async function unsettledOf(sql: Sql, account: SettlementAccount, { from, to }: ReportDays) {
  const nothing = { count: 0, kobo: 0 };
  if (!paysOut(account)) return { overdue: nothing, underWay: nothing };
  const rows = await sql.query<{ is_overdue: boolean; count: number; kobo: number }>(
    `select ${isFoundMissing('open')} or ${isFoundMissing('closed')} as is_overdue, count(*) as count, sum(net_kobo)::bigint as kobo
     from (${UNSETTLED}) unsettled where settles_on between $3 and $4 group by 1`,
    [account.id, termsOf(account).deductsRefunds, from, to],
  );
  const of = (isOverdue: boolean) => {
    const row = rows.find(({ is_overdue }) => is_overdue === isOverdue);
    return row ? { count: row.count, kobo: row.kobo } : nothing;
  };
  return { overdue: of(true), underWay: of(false) };
}

async function owedOf(sql: Sql, account: SettlementAccount): Promise<number> {
  const [row] = await sql.query<{ kobo: number }>(
    `select coalesce(sum(kobo), 0)::bigint as kobo from (${owed('$2::boolean')}) owed join captures k on k.id = owed.capture_id
     where k.settlement_id is not null`,
    [account.id, termsOf(account).deductsRefunds],
  );
  return row!.kobo;
}

/** Of the days: by the settlement they are about, else by their own. */
const OF_DAYS = `from discrepancies d left join settlements s on s.id = d.settlement_id
  where d.connection_id = $1 and d.status in ('open', 'closed') and coalesce(s.expected_date, d.day) between $2 and $3`;

async function sumDiscrepancies(sql: Sql, span: readonly string[]) {
  const [sums] = await sql.query<
    Pick<ReportSums, 'openCount' | 'openKobo' | 'closedCount' | 'closedKobo'> &
      Record<'unknownCount' | 'unknownKobo', number>
  >(
    `select count(*) filter (where d.status = 'open') as "openCount",
       coalesce(sum(difference_kobo) filter (where d.status = 'open'), 0)::bigint as "openKobo",
       count(*) filter (where d.status = 'closed') as "closedCount",
       coalesce(sum(difference_kobo) filter (where d.status = 'closed'), 0)::bigint as "closedKobo",
       count(*) filter (where kind = 'unknown_at_provider') as "unknownCount",
       coalesce(sum(difference_kobo) filter (where kind = 'unknown_at_provider'), 0)::bigint as "unknownKobo" ${OF_DAYS}`,
    span,
  );
  return sums!;
}

function discrepanciesOf(sql: Sql, span: readonly string[]): Promise<DiscrepancyRow[]> {
  return sql.query<DiscrepancyRow>(
    `${discrepanciesFrom(`(select d.* ${OF_DAYS} order by abs(difference_kobo) desc, amount_kobo desc, d.id limit ${mostDiscrepancies})`)}
     order by abs(d.difference_kobo) desc, d.amount_kobo desc, d.id`,
    span,
  );
}
