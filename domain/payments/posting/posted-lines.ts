import { type Interval, timeZoneAt } from '../../accounts/tenant/days.ts';
import type { Posting } from '../../journal/entities/posting.ts';
import type { RowOf } from '../../shared/columns.ts';
import { firstIdAt, referenceOf } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { chargesOf, sourceView } from './list-entries.ts';

/** `source`: the id that the API shows. */
export interface PostedLine extends RowOf<typeof Posting> {
  /** ISO date of `created_at`, in the zone of that time. */
  day: string;
  /** Service reference of the charge that it is about; a payout has its source. */
  reference: string;
}

const PAGE = 1_000;
const BEYOND_EVERY_ID = '~';

/** In the order in which they were posted. Each page is read once the last was taken. */
export async function* postedLines(
  read: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  reader: Reader,
  { start, end }: Interval,
): AsyncGenerator<PostedLine> {
  const before = end ? firstIdAt('btx', end) : BEYOND_EVERY_ID;
  for (let after = start ? firstIdAt('btx', start) : ''; ; ) {
    const page = await read((sql) => readPage(sql, reader, after, before));
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

async function readPage(sql: Sql, reader: Reader, after: string, before: string) {
  const { tenantId, mode } = reader;
  const rows = await list(sql, { tenantId, mode, after, before, limit: PAGE });
  const charges = await chargesOf(sql, reader, rows);
  return rows.map(({ source, ...row }): PostedLine => {
    const charge = charges.get(source);
    const reference = charge ? referenceOf(charge.number) : source;
    return { ...row, source: sourceView(source, charge), reference };
  });
}

/** Each of the few connections from its own place in the index. */
const list = statement<Omit<PostedLine, 'reference'>>(`
  select p.*, (p.created_at at time zone ${timeZoneAt('t', 'p.created_at')})::date as day
  from tenants t join connections c on c.tenant_id = t.id and c.mode = :mode, lateral (
    select * from postings
    where tenant_id = t.id and mode = :mode
      and (connection_id, id) > (c.id, :after) and (connection_id, id) < (c.id, :before)
    order by connection_id, id limit :limit) p
  where t.id = :tenantId order by p.id limit :limit`);
