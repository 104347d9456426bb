import type { Sql } from '../../shared/sql.ts';
import { paysOut, type SettlementAccount, termsOf } from '../account/account.ts';
import { discrepanciesFrom } from '../discrepancy/find.ts';
import type { DiscrepancyRow } from '../discrepancy/row.ts';
import { sumOwed } from './deductions.ts';
import { IS_MISSING } from './find-missing.ts';
import type { SettlementRow } from './row.ts';
import { UNSETTLED } from './unsettled.ts';

export interface ReportDays {
  from: string;
  to: string;
}

export interface Payments {
  count: number;
  kobo: number;
}

/** Kobo. */
export interface Report {
  settlements: SettlementRow[];
  /** Their payments are expected as before. */
  failed: SettlementRow[];
  /** And on record as missing. */
  overdue: Payments;
  underWay: Payments;
  unknown: Payments;
  /** On any day. */
  owedKobo: number;
  discrepancies: DiscrepancyRow[];
  sums: ReportSums;
}

/** difference = expected - landed = discrepancies + closed + unexplained. */
export interface ReportSums {
  expectedKobo: number;
  landedKobo: number;
  differenceKobo: number;
  openCount: number;
  openKobo: number;
  closedCount: number;
  closedKobo: number;
  /** Not 0: our records are wrong. */
  unexplainedKobo: number;
}

export const maxSettlements = 1_000;
export const maxDiscrepancies = 1_000;

/** Explains the difference to the kobo. Only reads: reconcile first. */
export async function reportOn(
  sql: Sql,
  account: SettlementAccount,
  days: ReportDays,
): Promise<Report> {
  const span = [account.id, days.from, days.to];
  const paidOut = await settlementsOf(sql, span, `status in ('landed', 'short')`);
  const failed = await settlementsOf(sql, span, `status = 'failed'`);
  const [sums] = await sql.query<{ expected: number; landed: number }>(
    `select coalesce(sum(expected_amount_kobo), 0)::bigint as expected,
       coalesce(sum(landed_amount_kobo), 0)::bigint as landed
     from settlements where connection_id = $1 and expected_date between $2 and $3
       and status in ('landed', 'short')`,
    span,
  );
  const waiting = await unsettledOf(sql, account, days);
  const stillOwed = await sumOwed(sql, account);
  const { unknownCount, unknownKobo, ...found } = await sumDiscrepancies(sql, span);
  const expectedKobo = sums!.expected + waiting.overdue.kobo + unknownKobo;
  const differenceKobo = expectedKobo - sums!.landed;
  return {
    settlements: paidOut,
    failed,
    ...waiting,
    unknown: { count: unknownCount, kobo: unknownKobo },
    owedKobo: stillOwed.refunds_kobo + stillOwed.chargebacks_kobo,
    discrepancies: await discrepanciesOf(sql, span),
    sums: {
      ...{ expectedKobo, landedKobo: sums!.landed, differenceKobo, ...found },
      unexplainedKobo: differenceKobo - found.openKobo - found.closedKobo,
    },
  };
}

export function emptyReport(): Report {
  const nothing = { count: 0, kobo: 0 };
  return {
    ...{ settlements: [], failed: [], overdue: nothing, underWay: nothing, unknown: nothing },
    ...{ owedKobo: 0, discrepancies: [] },
    sums: {
      ...{ expectedKobo: 0, landedKobo: 0, differenceKobo: 0, openCount: 0, openKobo: 0 },
      ...{ closedCount: 0, closedKobo: 0, unexplainedKobo: 0 },
    },
  };
}

function settlementsOf(sql: Sql, span: readonly string[], which: string): Promise<SettlementRow[]> {
  return sql.query<SettlementRow>(
    `select * from settlements s
     where connection_id = $1 and expected_date between $2 and $3 and ${which}
     order by s.expected_date, id limit ${maxSettlements}`,
    span,
  );
}

async function unsettledOf(sql: Sql, account: SettlementAccount, { from, to }: ReportDays) {
  const nothing = { count: 0, kobo: 0 };
  if (!paysOut(account)) return { overdue: nothing, underWay: nothing };
  const rows = await sql.query<{ is_overdue: boolean; count: number; kobo: number }>(
    `select ${IS_MISSING} as is_overdue, count(*) as count, sum(net_kobo)::bigint as kobo
     from (${UNSETTLED}) unsettled where settles_on between $3 and $4 group by 1`,
    [account.id, termsOf(account).deductsRefunds, from, to],
  );
  const of = (isOverdue: boolean) => {
    const row = rows.find(({ is_overdue }) => is_overdue === isOverdue);
    return row ? { count: row.count, kobo: row.kobo } : nothing;
  };
  return { overdue: of(true), underWay: of(false) };
}

const OF_DAYS = `from discrepancies d left join settlements s on s.id = d.settlement_id
  where d.connection_id = $1 and d.status in ('open', 'closed')
    and coalesce(s.expected_date, d.day) between $2 and $3`;

async function sumDiscrepancies(sql: Sql, span: readonly string[]) {
  const [sums] = await sql.query<
    Pick<ReportSums, 'openCount' | 'openKobo' | 'closedCount' | 'closedKobo'> &
      Record<'unknownCount' | 'unknownKobo', number>
  >(
    `select count(*) filter (where d.status = 'open') as "openCount",
       coalesce(sum(difference_kobo) filter (where d.status = 'open'), 0)::bigint as "openKobo",
       count(*) filter (where d.status = 'closed') as "closedCount",
       coalesce(sum(difference_kobo) filter (where d.status = 'closed'), 0)::bigint
         as "closedKobo",
       count(*) filter (where kind = 'unknown_at_provider') as "unknownCount",
       coalesce(sum(difference_kobo) filter (where kind = 'unknown_at_provider'), 0)::bigint
         as "unknownKobo"
     ${OF_DAYS}`,
    span,
  );
  return sums!;
}

function discrepanciesOf(sql: Sql, span: readonly string[]): Promise<DiscrepancyRow[]> {
  return sql.query<DiscrepancyRow>(
    `${discrepanciesFrom(`(select d.* ${OF_DAYS}
       order by abs(difference_kobo) desc, amount_kobo desc, d.id limit ${maxDiscrepancies})`)}
     order by abs(d.difference_kobo) desc, d.amount_kobo desc, d.id`,
    span,
  );
}
