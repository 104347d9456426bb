import { type Interval, timeZoneAt } from '../../accounts/tenant/days.ts';
import type { Posting } from '../../journal/entities/posting.ts';
import type { RowOf } from '../../shared/columns.ts';
import { firstIdAt, referenceOf } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';

export interface PostedLine extends RowOf<typeof Posting> {
  /** ISO date of `created_at`, in the zone of that time. */
  day: string;
  /** Of the charge that it is about, else the source. */
  reference: string;
}

const PAGE = 1_000;
const BEYOND_EVERY_ID = '~';

/** In the order in which they were posted. Each page is read once the last was taken. */
export async function* postedLines(
  read: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  { tenantId, mode }: Reader,
  { start, end }: Interval,
): AsyncGenerator<PostedLine> {
  const before = end ? firstIdAt('btx', end) : BEYOND_EVERY_ID;
  for (let after = start ? firstIdAt('btx', start) : ''; ; ) {
    const page = await read((sql) => list(sql, { tenantId, mode, after, before, limit: PAGE }));
    for (const { number, ...row } of page)
      yield { ...row, reference: number === null ? row.source : referenceOf(number) };
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const list = statement<Omit<PostedLine, 'reference'> & { number: number | null }>(`
  select p.*, c.number,
    (p.created_at at time zone ${timeZoneAt('t', 'p.created_at')})::date::text as day
  from postings p join tenants t on t.id = p.tenant_id
    left join charges c on c.id = coalesce(
      (select charge_id from captures where id = p.source),
      (select charge_id from refunds where id = p.source),
      (select charge_id from disputes where id = p.source))
  where p.tenant_id = :tenantId and p.mode = :mode and p.id < :before
    and (p.tenant_id, p.mode, p.id) > (:tenantId, :mode, :after)
  order by p.tenant_id, p.mode, p.id limit :limit`);
