import { firstIdAt } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { Total } from '../../shared/total.ts';
import {
  type ChargeFilter,
  type ChargeKey,
  chargeKeys,
  isAnyCombination,
  keysIn,
  matching,
} from './filter.ts';
import { type Reading, readings, underwayAt } from './newest.ts';
import type { ChargeRow } from './row.ts';

/** Which part of the list: at most `most` rows, whose ids sort before `before`. */
export interface Part {
  before: string;
  most: number;
}

/** Nearly every charge is paid this soon after it was created, or never. */
const PAID_SOON_MS = 3_600_000;

const BEFORE_EVERY_ID = '';
const BEYOND_EVERY_ID = '~';

/** Charges by id, newest first, whatever the filter: however many there are, few rows are read. */
export async function listCharges(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  { before, most }: Part,
): Promise<ChargeRow[]> {
  const found: ChargeRow[] = [];
  for (const { reading, ...window } of await windowsOf(sql, reader, filter, before)) {
    const values = { ...reader, ...matching(filter), ...window, most: most - found.length };
    const rows = await reading.newest(sql, values);
    found.push(...rows.sort((one, other) => (one.id < other.id ? 1 : -1)));
    if (found.length === most) break;
  }
  return found;
}

/** How many charges there are and what was asked in all, as far as reading `most` of them tells. */
export async function totalOfCharges(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  most: number,
): Promise<Total> {
  const total: Total = { count: 0, amountKobo: 0, isWhole: true, most };
  let left = most;
  for (const { reading, ...window } of await windowsOf(sql, reader, filter, BEYOND_EVERY_ID)) {
    const values = { ...reader, ...matching(filter), ...window, most: left + 1 };
    const [found] = await reading.total(sql, values);
    total.count += found!.count;
    total.amountKobo += found!.amount_kobo;
    left -= found!.read;
    if (left < 0) return { ...total, isWhole: false };
  }
  return total;
}

/** Charges whose ids lie between two. `moment`: of those that were under way then. */
interface Window {
  reading: Reading;
  floor: string;
  before: string;
  moment: Date | null;
}

/**
 * Where charges are found, newest first. Ids tell when a charge was created. What occurred since a
 * moment was created since then, or before it and paid after it; theirs are the smaller ids, so
 * they come last. A busy tenant has thousands of those at any midnight: the ones created in the
 * hour before it are read by their ids as well, so that a full page reads no more, and only the few
 * that were created earlier are looked for by when they were created and paid.
 */
async function windowsOf(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
  before: string,
): Promise<Window[]> {
  const { start, end } = filter.occurred;
  const reading = readings[await leadOf(sql, reader, filter)];
  const ceiling = end ? smaller(before, firstIdAt('txn', end)) : before;
  const created = { reading, before: ceiling, moment: null };
  if (start === null) return [{ ...created, floor: BEFORE_EVERY_ID }];
  const floor = firstIdAt('txn', start);
  const hourBefore = firstIdAt('txn', new Date(start.getTime() - PAID_SOON_MS));
  return [
    { ...created, floor },
    { ...created, floor: hourBefore, before: smaller(before, floor) },
    {
      reading: underwayAt,
      floor: BEFORE_EVERY_ID,
      before: smaller(before, hourBefore),
      moment: start,
    },
  ];
}

function smaller(one: string, other: string): string {
  return one < other ? one : other;
}

/** What finds the charges: of several keys the one with fewest, as far as PostgreSQL knows. */
async function leadOf(
  sql: Sql,
  reader: Reader,
  filter: ChargeFilter,
): Promise<keyof typeof readings> {
  const keys = keysIn(filter);
  if (keys.length === 0) return isAnyCombination(filter) ? 'all' : 'combination';
  if (keys.length === 1) return keys[0]!;
  let [lead] = keys;
  let fewest = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const rows = await estimateOf(sql, reader, key, filter[key]);
    if (rows < fewest) [lead, fewest] = [key, rows];
  }
  return lead!;
}

/** By the planner's statistics: counting 10,000 rows takes longer than a page. */
async function estimateOf(sql: Sql, { tenantId, mode }: Reader, key: ChargeKey, value: unknown) {
  const explain = statement<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(`
explain (format json) select from charges
where tenant_id = :tenantId and mode = :mode and ${chargeKeys[key]}`);
  const [row] = await explain(sql, { tenantId, mode, [key]: value });
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
}
