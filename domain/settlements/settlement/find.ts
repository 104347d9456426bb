import type { Days } from '../../accounts/tenant/days.ts';
import { ANY_TIME } from '../../payments/charge/filter.ts';
import { listCharges } from '../../payments/charge/list.ts';
import type { ChargeRow } from '../../payments/charge/row.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { SettlementRow } from './row.ts';

const SETTLEMENTS = `
select *, expected_date::text
from settlements where tenant_id = :tenantId and mode = :mode`;

const findOne = statement<SettlementRow>(`${SETTLEMENTS} and id = :id`);

const list = statement<SettlementRow>(`
  ${SETTLEMENTS} and id < :before and (:status::text is null or status = :status)
    and (:slot::text is null or slot = :slot)
    and (:from::date is null or expected_date >= :from)
    and (:to::date is null or expected_date <= :to)
  order by id desc limit :limit`);

export async function findSettlement(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await findOne(sql, { tenantId, mode, id });
  if (!row) throw noSuchSettlement();
  return row;
}

export function noSuchSettlement(): Problem {
  return new Problem(
    'not_found',
    'There is no such settlement in this mode. ' +
      'A live settlement read with a test key is not found.',
  );
}

export interface SettlementQuery {
  status: string | undefined;
  slot: string | undefined;
  expected: Days;
  before: string;
  limit: number;
}

/** A few a day, so one index serves every filter. Newest first. */
export function listSettlements(sql: Sql, { tenantId, mode }: Reader, query: SettlementQuery) {
  const { status = null, slot = null, expected, before, limit } = query;
  const { from = null, to = null } = expected;
  return list(sql, { tenantId, mode, status, slot, from, to, before, limit });
}

const expected = statement<ChargeRow>(`
  select * from charges where tenant_id = :tenantId and mode = :mode and id = any(array(
    select charge_id from captures
    where connection_id = :connection_id and settles_on = :expected_date
      and settlement_id is null and charge_id < :before
    group by charge_id order by charge_id desc limit :limit))
  order by id desc`);

/** Newest first; of a forecast those expected on its day. */
export function chargesOfSettlement(
  sql: Sql,
  reader: Reader,
  settlement: SettlementRow,
  { before, limit }: Pick<SettlementQuery, 'before' | 'limit'>,
): Promise<ChargeRow[]> {
  const { id: settlementId, step, connection_id, expected_date } = settlement;
  if (step === 'forecast')
    return expected(sql, { ...reader, connection_id, expected_date, before, limit });
  return listCharges(sql, reader, { settlementId, occurred: ANY_TIME }, { before, most: limit });
}
