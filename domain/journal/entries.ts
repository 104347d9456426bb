import type { Interval } from '../accounts/tenant/days.ts';
import type { RowOf } from '../shared/columns.ts';
import { firstIdAt } from '../shared/ids.ts';
import type { Reader } from '../shared/reader.ts';
import { type Slot, slots } from '../shared/slot.ts';
import { type Sql, statement } from '../shared/sql.ts';
import type { Total } from '../shared/total.ts';
import { type Posting, postingTypes } from './entities/posting.ts';
import type { Account, PostingType } from './moved.ts';
import { type RunningTotal, runningTotals, runningTotalsAt } from './running-totals.ts';

export type PostingRow = RowOf<typeof Posting>;

/** A posting, as one of the two accounts sees it. */
export interface EntryRow extends PostingRow {
  /** Negative where it credits the account. */
  amount_kobo: number;
  slot: Slot;
}

/**
 * Which entries of the account: newest first, at most `limit`, with ids that sort before `before`.
 * What is left out matches all.
 */
export interface EntryQuery {
  account: Account;
  type?: PostingType | undefined;
  slot?: Slot | undefined;
  /** Those of these records. */
  sources?: readonly string[] | undefined;
  /** When it was posted. */
  posted: Interval;
  before: string;
  limit: number;
}

/** A page reads few rows, however many there are, even where nothing matches. */
export async function listEntries(
  sql: Sql,
  reader: Reader,
  { account, type, slot, sources, posted, before, limit }: EntryQuery,
): Promise<EntryRow[]> {
  const end = posted.end ? firstIdAt('btx', posted.end) : before;
  const wanted = {
    ...{ ...reader, account, limit },
    types: await typesOf(sql, reader, account, type),
    slots: slot === undefined ? slots : [slot],
    before: end < before ? end : before,
    floor: posted.start ? firstIdAt('btx', posted.start) : '',
  };
  if (sources) return listOfSources(sql, { ...wanted, sources });
  if (account === 'payers') return listOfPayers(sql, wanted);
  const isPlain = account === 'at_provider' && type === undefined;
  return isPlain ? listAll(sql, wanted) : listByType(sql, wanted);
}

/** How many there are, and what they moved: what was posted by the end less what was before. */
export async function totalOfEntries(
  sql: Sql,
  reader: Reader,
  { account, type, slot, posted }: Pick<EntryQuery, 'account' | 'type' | 'slot' | 'posted'>,
): Promise<Total> {
  const [byEnd = [], byStart = []] = await runningTotalsAt(sql, reader, [
    posted.end,
    ...(posted.start ? [posted.start] : []),
  ]);
  const own = (totals: readonly RunningTotal[], sign: 1 | -1) =>
    totals
      .filter((one) => account === one.debit || account === one.credit)
      .filter((one) => (type ?? one.type) === one.type && (slot ?? one.slot) === one.slot)
      .map(({ count, amount_kobo: kobo, debit }) => ({
        count: sign * count,
        kobo: sign * (debit === account ? kobo : -kobo),
      }));
  const parts = [...own(byEnd, 1), ...own(byStart, -1)];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const amountKobo = parts.reduce((sum, part) => sum + part.kobo, 0);
  return { count, amountKobo, isWhole: true, most: count };
}

/** Those that the account has: others would be searched in vain. */
async function typesOf(
  sql: Sql,
  reader: Reader,
  account: Account,
  type: PostingType | undefined,
): Promise<readonly PostingType[]> {
  const wanted = type === undefined ? postingTypes : [type];
  if (account === 'at_provider') return wanted;
  const totals = await runningTotals(sql, reader);
  const own = totals.filter(({ debit, credit }) => debit === account || credit === account);
  return wanted.filter((one) => own.some((total) => total.type === one));
}

const ENTRIES = `
  select p.*, slot,
    case p.debit when :account then p.amount_kobo else -p.amount_kobo end as amount_kobo`;

/*
 * Bounds on ids are compared together with the column before them in the index: with plain ones the
 * planner may walk the primary key, through the postings of every tenant, until it meets a match.
 */

const listByType = statement<EntryRow>(`${ENTRIES}
  from connections c, unnest(:types::text[]) wanted_type, lateral (
    select * from postings
    where connection_id = c.id and (debit = :account or credit = :account)
      and (type, id) < (wanted_type, :before) and (type, id) >= (wanted_type, :floor)
    order by type desc, id desc limit :limit) p
  where c.tenant_id = :tenantId and c.mode = :mode and slot = any(:slots)
  order by p.id desc limit :limit`);

const listOfPayers = ofAccount('payers');
/** Nearly all postings are of this account. */
const listAll = ofAccount('at_provider');

function ofAccount(account: Account) {
  return statement<EntryRow>(`${ENTRIES}
    from connections c, lateral (
      select * from postings
      where (debit = '${account}' or credit = '${account}') and type = any(:types)
        and (connection_id, id) < (c.id, :before) and (connection_id, id) >= (c.id, :floor)
      order by connection_id desc, id desc limit :limit) p
    where c.tenant_id = :tenantId and c.mode = :mode and slot = any(:slots)
    order by p.id desc limit :limit`);
}

const listOfSources = statement<EntryRow>(`${ENTRIES}
  from postings p join connections c on c.id = p.connection_id
  where p.source = any(:sources) and p.tenant_id = :tenantId and p.mode = :mode
    and p.type = any(:types) and slot = any(:slots) and :account in (p.debit, p.credit)
    and p.id < :before and p.id >= :floor
  order by p.id desc limit :limit`);

/** Those of records, oldest first; at most `most`. */
export function postingsOf(
  sql: Sql,
  { tenantId, mode }: Reader,
  sources: readonly string[],
  most: number,
): Promise<PostingRow[]> {
  return sql.query<PostingRow>(
    `select * from postings where source = any($1) and tenant_id = $2 and mode = $3
     order by created_at, array_position($5, type), sequence limit $4`,
    [sources, tenantId, mode, most, postingTypes],
  );
}
