import type { Reader } from '../../shared/reader.ts';
import { type Database, type Sql, statement } from '../../shared/sql.ts';
import type { SettlementRow } from './row.ts';

export interface ExpectedPayouts extends Pick<SettlementRow, 'slot'> {
  /** ISO date; null: its provider named none. */
  day: string | null;
  amount_kobo: number;
  payments: number;
}

const MOST = 100;

/** Payouts that did not arrive yet, announced or forecast, by day and provider, the first first. */
export function expectedPayouts(sql: Database | Sql, reader: Reader): Promise<ExpectedPayouts[]> {
  return expected(sql, { ...reader });
}

const expected = statement<ExpectedPayouts>(`
  select expected_date as day, slot, sum(expected_amount_kobo)::bigint as amount_kobo,
    sum(transaction_count)::int as payments
  from settlements where tenant_id = :tenantId and mode = :mode and status = 'expected'
  group by expected_date, slot order by expected_date, slot limit ${MOST}`);
