import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { type Count, MOST_COUNTED } from '../../shared/total.ts';
import { wordsOf } from '../../shared/words.ts';
import type { Charge } from '../entities/charge.ts';

/** With the name and the phone number of their first charge. */
export type ListedCustomer = Pick<
  RowOf<typeof Charge>,
  'id' | 'email' | 'name' | 'phone' | 'created_at'
>;

/**
 * Customers whom the rarest word asked for finds, as far as the others do, too; and those whose
 * e-mail address begins with the text. Of each at most so many rows are read.
 */
const FOUND = `
named as (
  select email, customer_id from customer_words
  where tenant_id = :tenantId and mode = :mode and word = :word and customer_id < :before
  order by customer_id desc limit :most
), beginning as (
  select email, word, customer_id from customer_words
  where tenant_id = :tenantId and mode = :mode and email >= :from and email < :to
  order by email limit :most
)`;

const HAS_OTHER_WORDS = `not exists (
  select from unnest(:otherWords::text[]) other (word)
  where (select 1 from customer_words own
    where own.tenant_id = :tenantId and own.mode = :mode and own.email = named.email
      and own.word = other.word) is null)`;

/** First charges that came at once may each have written words: who has the address is one. */
const newest = statement<ListedCustomer>(`
with ${FOUND}, found as (
  select min(customer_id) as customer_id from (
    (select email, customer_id from named where ${HAS_OTHER_WORDS}
      order by customer_id desc limit :limit)
    union all
    (select email, customer_id from beginning where word = '' and customer_id < :before
      order by customer_id desc limit :limit)) either
  group by email order by customer_id desc limit :limit
)
select customer_id as id, email, name, phone, created_at
from found join charges on charges.id = 'txn_' || substr(customer_id, 5)
  and charges.tenant_id = :tenantId and charges.mode = :mode
order by customer_id desc`);

const count = statement<{ count: number; is_whole: boolean }>(`
with ${FOUND}
select greatest((select count(*) from named), (select count(*) from beginning)) < :most as is_whole,
  (select count(*) from (
    select email from named where ${HAS_OTHER_WORDS}
    union select email from beginning where word = '') found) as count`);

/** Rows that are read for a page, or counted; fewer where each is looked up by other words. */
const MOST_READ = 10_000;
const MOST_COMPARED = 2_000;
const MOST_AT_ONCE = 1_000;

/** Customers one after another, each compared with the text. */
const compared = statement<ListedCustomer & { is_found: boolean }>(`
with named as (
  select email, customer_id from customer_words
  where tenant_id = :tenantId and mode = :mode and word = '' and customer_id < :before
  order by customer_id desc limit :most
), found as materialized (
  select *, email >= :from and email < :to
    or cardinality(:otherWords::text[]) > 0 and ${HAS_OTHER_WORDS} as is_found
  from named
)
select customer_id as id, found.email, name, phone, created_at, is_found
from found left join charges on is_found and charges.id = 'txn_' || substr(customer_id, 5)
  and charges.tenant_id = :tenantId and charges.mode = :mode
order by customer_id desc`);

const rarest = statement<{ word: string }>(`
select wanted.word from unnest(:words::text[]) wanted (word), lateral (
  select count(*) from (
    select from customer_words own
    where own.tenant_id = :tenantId and own.mode = :mode and own.word = wanted.word limit :most
  ) few) found
order by found.count limit 1`);

export interface CustomersQuery {
  /** Words of their name, or the beginning of their e-mail address; undefined: any. */
  text?: string | undefined;
  before: string;
  limit: number;
}

/** Newest first: at most `limit`, with ids that sort before `before`. */
export async function listCustomers(
  sql: Sql,
  reader: Reader,
  { text, before, limit }: CustomersQuery,
): Promise<ListedCustomer[]> {
  const wanted = await wantedBy(sql, reader, text);
  return newest(sql, { ...wanted, before, limit });
}

export interface ComparedCustomers {
  found: ListedCustomer[];
  /** Undefined: there are no more to compare. */
  next: string | undefined;
}

/** For a common text: compares the next thousand customers, whom it finds or not, newest first. */
export async function compareCustomers(
  sql: Sql,
  { tenantId, mode }: Reader,
  { text, before }: { text: string; before: string },
): Promise<ComparedCustomers> {
  const { words: otherWords, ...span } = partsOf(text);
  const values = { tenantId, mode, before, most: MOST_AT_ONCE, otherWords, ...span };
  const rows = await compared(sql, values);
  const next = rows.length < MOST_AT_ONCE ? undefined : rows.at(-1)!.id;
  return { found: rows.filter((row) => row.is_found), next };
}

/** As far as reading some of a common word tells. */
export async function countCustomers(sql: Sql, reader: Reader, text?: string): Promise<Count> {
  const wanted = await wantedBy(sql, reader, text);
  const [found] = await count(sql, { ...wanted, before: '~', most: MOST_COUNTED + 1 });
  return { count: found!.count, isWhole: found!.is_whole, most: MOST_COUNTED };
}

/** Sorts after every character in an e-mail address. */
const LAST = '\u{10ffff}';

async function wantedBy(sql: Sql, { tenantId, mode }: Reader, text: string | undefined) {
  const { words, ...span } = partsOf(text ?? '');
  const most = words.length > 1 ? MOST_COMPARED : MOST_READ;
  const values = { tenantId, mode, most };
  if (text === undefined) return { ...values, word: '', otherWords: [], from: '', to: '' };
  const [lead] = words.length > 1 ? await rarest(sql, { ...values, words }) : [{ word: words[0] }];
  return {
    ...values,
    word: lead!.word ?? null,
    otherWords: words.filter((word) => word !== lead!.word),
    ...span,
  };
}

/** Words of a name, and the span of the addresses that begin with the text. */
function partsOf(text: string) {
  const from = text.toLowerCase();
  return { words: from.includes('@') ? [] : wordsOf(from), from, to: from + LAST };
}
