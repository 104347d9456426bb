import { sumPlannedDays } from '../../payments/capture/planned-days.ts';
import { findUnplanned, writeSettlementDays } from '../../payments/capture/settle.ts';
import { newId } from '../../shared/ids.ts';
import { lagosDay } from '../../shared/lagos.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount, termsOf } from '../account/account.ts';
import { owed, sumOwed } from './deductions.ts';
import type { SettlementRow } from './row.ts';
import { unsettledOf } from './unsettled.ts';

const BATCH = 1_000;

/** The settlement day of at most a thousand new payments. Returns how many. */
export async function planCaptures(sql: Sql, account: SettlementAccount): Promise<number> {
  const { settlementDay } = termsOf(account);
  const captures = await findUnplanned(sql, account.id, BATCH);
  const planned = captures.map(({ id, captured_at: capturedAt, channel }) => ({
    id,
    day: settlementDay(capturedAt, channel),
  }));
  await writeSettlementDays(sql, planned);
  return captures.length;
}

interface DaySums
  extends Pick<SettlementRow, 'gross_kobo' | 'fee_kobo' | 'refunds_kobo' | 'chargebacks_kobo'> {
  day: string;
  count: number;
}

/**
 * One settlement for each day to come. What is still owed makes the next one smaller. A forecast
 * without payments is deleted.
 */
export async function forecast(tx: Tx, account: SettlementAccount): Promise<void> {
  await sumPlanned(tx, account);
  const days = await tx.sql.query<DaySums>(DAYS, [account.id, termsOf(account).deductsRefunds]);
  await addOwed(tx, account, days);
  await write(tx, account, days);
  await tx.sql.query(
    `delete from settlements
     where connection_id = $1 and step = 'forecast' and expected_date <> all($2::date[])`,
    [account.id, days.map(({ day }) => day)],
  );
}

export async function sumPlanned(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  await sumPlannedDays(tx, account.id);
}

/** SQL. */
const IS_PLANNED = 'connection_id = $1 and settlement_id is null and settles_on is not null';

/** The sums of `UNSETTLED` by day: planned sums, corrected by the few captures that differ. */
const DAYS = `
  with concerned as materialized (
    select * from captures where id in (
      select capture_id from (${owed('$2::boolean')}) owed where is_unsettled
      union
      select subject from discrepancies where connection_id = $1 and kind = 'unknown_at_provider'
        and status in ('open', 'closed'))
  )
  select settles_on as day, sum(amount_kobo)::bigint as gross_kobo,
    sum(fee_kobo)::bigint as fee_kobo, sum(refunds_kobo)::bigint as refunds_kobo,
    sum(chargebacks_kobo)::bigint as chargebacks_kobo, sum(count)::int as count
  from (
    select day as settles_on, amount_kobo, fee_kobo, 0 as refunds_kobo, 0 as chargebacks_kobo, count
    from planned_days where connection_id = $1
    union all
    select settles_on, -amount_kobo, -coalesce(fee_kobo, 0), 0, 0, -1
    from concerned where ${IS_PLANNED}
    union all
    select settles_on, amount_kobo, fee_kobo, owed_refunds_kobo, owed_chargebacks_kobo, 1
    from (${unsettledOf('concerned')}) unsettled
  ) sums group by settles_on having sum(count) > 0 order by settles_on`;

/** To the next day. */
async function addOwed({ sql, now }: Tx, account: SettlementAccount, days: DaySums[]) {
  const next = days.find(({ day }) => day >= lagosDay(now));
  if (!next) return;
  const sums = await sumOwed(sql, account);
  next.refunds_kobo += sums.refunds_kobo;
  next.chargebacks_kobo += sums.chargebacks_kobo;
}

async function write(
  { sql, now }: Tx,
  { id, tenant_id, mode, slot }: SettlementAccount,
  days: readonly DaySums[],
): Promise<void> {
  const rows = days.map((sums) => ({ ...sums, id: newId('stl', now) }));
  await insert(sql, { tenant_id, mode, connectionId: id, slot, now, rows: JSON.stringify(rows) });
}

const insert = statement(`
  insert into settlements (id, tenant_id, mode, connection_id, slot, status, step, created_at,
    expected_date, expected_amount_kobo, gross_kobo, fee_kobo, refunds_kobo, chargebacks_kobo,
    transaction_count)
  select id, :tenant_id, :mode, :connectionId, :slot, 'expected', 'forecast', :now, day,
    gross_kobo - fee_kobo - refunds_kobo - chargebacks_kobo, gross_kobo, fee_kobo, refunds_kobo,
    chargebacks_kobo, count
  from json_to_recordset(:rows) as found (id text, day date, gross_kobo bigint, fee_kobo bigint,
    refunds_kobo bigint, chargebacks_kobo bigint, count integer)
  on conflict (connection_id, expected_date) where step = 'forecast' do update set
    expected_amount_kobo = excluded.expected_amount_kobo, gross_kobo = excluded.gross_kobo,
    fee_kobo = excluded.fee_kobo, refunds_kobo = excluded.refunds_kobo,
    chargebacks_kobo = excluded.chargebacks_kobo,
    transaction_count = excluded.transaction_count`);
