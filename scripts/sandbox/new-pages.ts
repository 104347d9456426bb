import type { Sql } from '../../domain/shared/sql.ts';
import type { Payment } from './records.ts';
import { askedRows, columnsOf } from './rows.ts';

export interface Order {
  reference?: string | undefined;
  /** What the page's address ends in, where the provider says it; else it is made up. */
  accessCode?: string | undefined;
  email: string;
  customerName?: string | undefined;
  customerPhone?: string | undefined;
  description?: string | undefined;
  amountKobo: number;
  callbackUrl?: string | undefined;
  /** JSON. */
  metadata?: string | undefined;
  /** From here on the page takes no money; absent: never. */
  linkExpiresAt?: Date | undefined;
}

/** A payment or link to be opened. */
export interface NewPage {
  accountId: number;
  kind: 'payment' | 'link';
  order: Order & { reference: string; accessCode: string };
}

export interface Opened extends Pick<Payment, 'reference' | 'accessCode'> {
  /** The account used the reference before. */
  again: boolean;
}

/** Opens payments and links. Undefined: the account has a payment of this reference. */
export async function openPages(
  sql: Sql,
  now: Date,
  pages: readonly NewPage[],
): Promise<(Opened | undefined)[]> {
  const rows = await sql.query<{ access_code: string; again: boolean }>(statement, [
    now,
    ...columnsOf(pages, ({ accountId, kind, order }) => [
      accountId,
      kind,
      order.reference,
      order.accessCode,
      order.email,
      order.customerName,
      order.customerPhone,
      order.description,
      order.callbackUrl,
      order.metadata,
      order.amountKobo,
      order.linkExpiresAt,
    ]),
  ]);
  const opened = new Map(rows.map((row) => [row.access_code, row.again]));
  return pages.map(({ order: { reference, accessCode } }) => {
    const again = opened.get(accessCode);
    return again === undefined ? undefined : { reference, accessCode, again };
  });
}

const columns = {
  account_id: 'bigint',
  kind: 'text',
  reference: 'text',
  access_code: 'text',
  email: 'text',
  customer_name: 'text',
  customer_phone: 'text',
  description: 'text',
  callback_url: 'text',
  metadata: 'text',
  requested_kobo: 'bigint',
  link_expires_at: 'timestamptz',
};

/** $1 is now. Of two pages of one reference, the second comes again. See `ofReference`. */
const statement = `
  with asked as materialized (
    select * from ${askedRows(columns, 2)}),
  opened as (
    insert into sandbox.payment (account_id, kind, reference, access_code, email, customer_name,
                                 customer_phone, description, callback_url, metadata,
                                 requested_kobo, created_at, link_expires_at)
    select account_id, kind, reference, access_code, email, customer_name, customer_phone,
           description, callback_url, metadata, requested_kobo, $1, link_expires_at
      from asked order by n
    on conflict (account_id, reference) where kind = 'payment' do nothing
    returning access_code)
  select access_code,
         (select count(*) from sandbox.payment p
           where p.account_id + 0 = asked.account_id and p.reference = asked.reference) > 0
         or exists (select from asked earlier
                     where earlier.n < asked.n and earlier.account_id = asked.account_id
                       and earlier.reference = asked.reference) as again
    from opened join asked using (access_code)`;
