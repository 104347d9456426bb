import type { Days } from '../../accounts/tenant/days.ts';
import { ANY_TIME } from '../../payments/charge/filter.ts';
import { listCharges } from '../../payments/charge/list.ts';
import type { ChargeRow } from '../../payments/charge/row.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { totalStatement } from '../../shared/total.ts';
import type { SettlementRow } from './row.ts';

const SETTLEMENTS = `
select * from settlements where tenant_id = :tenantId and mode = :mode`;

const findOne = statement<SettlementRow>(`${SETTLEMENTS} and id = :id`);

const MATCHING = `(:status::text is null or status = :status)
    and (:slot::text is null or slot = :slot)
    and (:from::date is null or expected_date >= :from)
    and (:to::date is null or expected_date <= :to)`;

const list = statement<SettlementRow>(`
  ${SETTLEMENTS} and id < :before and ${MATCHING}
  order by id desc limit :limit`);

export async function findSettlement(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await findOne(sql, { tenantId, mode, id });
  if (!row) throw noSuchSettlement();
  return row;
}

const ofProvider = statement<SettlementRow>(`
  ${SETTLEMENTS} and provider_settlement_id = :id and connection_id = any(array(
    select id from connections where tenant_id = :tenantId and mode = :mode))`);

/** Settlements with this id at a provider. */
export function findSettlementsByProviderId(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<SettlementRow[]> {
  return ofProvider(sql, { tenantId, mode, id });
}

export function noSuchSettlement(): Problem {
  return new Problem(
    'not_found',
    'There is no such settlement in this mode. ' +
      'A live settlement read with a test key is not found.',
  );
}

export interface SettlementFilter {
  status?: string | undefined;
  slot?: string | undefined;
  expected: Days;
}

export interface SettlementQuery extends SettlementFilter {
  before: string;
  limit: number;
}

const listByDay = statement<SettlementRow & { position: string }>(`
  select * from (
    select settlements.*, coalesce((landed_at at time zone :timeZone)::date::text,
      expected_date::text, 'later') || '_' || id as position
    from settlements where tenant_id = :tenantId and mode = :mode and ${MATCHING}) placed
  where position < :before order by position desc limit :limit`);

/** Newest day first, as a business sees it: of landing, until then of expectation. */
export function listSettlementsByDay(
  sql: Sql,
  reader: Reader,
  { before, limit, timeZone, ...filter }: SettlementQuery & { timeZone: string },
) {
  return listByDay(sql, { ...matching(reader, filter), before, limit, timeZone });
}

const total = totalStatement(`
  select coalesce(landed_amount_kobo, 0) as amount_kobo
  from settlements where tenant_id = :tenantId and mode = :mode and ${MATCHING}`);

/** How many there are, and what landed of them. */
export function totalOfSettlements(sql: Sql, reader: Reader, filter: SettlementFilter) {
  return total(sql, matching(reader, filter));
}

/** A few a day, so one index serves every filter. Newest first. */
export function listSettlements(
  sql: Sql,
  reader: Reader,
  { before, limit, ...filter }: SettlementQuery,
) {
  return list(sql, { ...matching(reader, filter), before, limit });
}

function matching({ tenantId, mode }: Reader, { status, slot, expected }: SettlementFilter) {
  const { from = null, to = null } = expected;
  return { tenantId, mode, status: status ?? null, slot: slot ?? null, from, to };
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
