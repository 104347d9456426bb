import { findCustomer, historyOf } from '../../../../domain/payments/customer/find.ts';
import {
  compareCustomers,
  countCustomers,
  listCustomers,
} from '../../../../domain/payments/customer/list.ts';
import { usePlans } from '../../../support/plans.ts';

/** More than are counted have each of two words, and none has both. */
const ROWS = 30_000;
const HEAVY = 'agent@shop.example';

const FILL = [
  `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
     provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at,
     payment_link_id)
   select 'txn_' || lpad(n::text, 26, '0'), 'ten_own', 'test', n, 'settled', 100, 'NGN',
     case when n % 2 = 0 then '${HEAVY}' else n || '@payer.example' end, '{}', 'auto',
     'provider_a', 'con', 'secret', now(), now(), now(), 'lnk_' || lpad(n::text, 26, '0')
   from generate_series(1, ${ROWS}) n`,
  `insert into customer_words (tenant_id, mode, email, word, customer_id)
   select 'ten_own', 'test', 'p' || n || '@payer.example', word, 'cus_' || lpad(n::text, 26, '0')
   from generate_series(1, ${ROWS}) n,
     unnest(array['', case when n % 2 = 0 then 'ada' else 'obi' end, 'w' || n]) word`,
  `insert into refunds (id, tenant_id, mode, charge_id, amount_kobo, reason, status, requested_by,
     created_at)
   select 'ref_' || n, 'ten_own', 'test', id, 100, 'No fit.', 'completed', 'key', now()
   from (select id, number as n from charges) charges`,
  `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo,
     status, entered_by, opened_at)
   select 'dsp_' || n, 'ten_own', 'test', id, 'cap', 'con', 100, 'won', 'provider', now()
   from (select id, number as n from charges) charges`,
  `insert into payment_links (id, tenant_id, mode, amount_kobo, description, provider_wanted, status,
     customer_email, created_by, created_at, expires_at)
   select 'lnk_' || lpad(n::text, 26, '0'), 'ten_own', 'test', 100, 'Rice', 'auto', 'expired',
     case when n % 3 = 0 then '${HEAVY}' end, 'key', now(), now() from generate_series(1, ${ROWS}) n`,
  'vacuum analyze',
];

const tables = ['customer_words', 'charges', 'refunds', 'disputes', 'payment_links'];
const reader = { tenantId: 'ten_own', mode: 'test' } as const;
const page = { before: '~', limit: 26 };

describe('The customers of a business are read in few database pages, however many there are', function () {
  this.timeout(60_000);
  const plans = usePlans(async (client) => {
    for (const statement of FILL) await client.query(statement);
  });

  const texts: [text: string | undefined, pages: number][] = [
    [undefined, 300],
    ['ada', 500],
    ['w7', 300],
    ['ada w8', 300],
    ['p1', 2_500],
    ['nobody', 300],
  ];
  for (const [text, pages] of texts)
    it(`of a page: ${text ?? 'all'}`, () =>
      plans.expectCheap(text, { pages, tables }, (db) =>
        listCustomers(db, reader, { ...page, text }),
      ));

  const most = { pages: 20_000, rows: 10_000, tables };
  it('where a page has none of two common words', () =>
    plans.expectCheap('ada obi', most, (db) =>
      listCustomers(db, reader, { ...page, text: 'ada obi' }),
    ));
  it('of a thousand that are compared', () =>
    plans.expectCheap('ada obi', { pages: 15_000, rows: 2_000, tables }, (db) =>
      compareCustomers(db, reader, { text: 'ada obi', before: '~' }),
    ));
  for (const text of [undefined, 'ada', 'ada obi', 'p'])
    it(`of a count: ${text ?? 'all'}`, () =>
      plans.expectCheap(text, most, (db) => countCustomers(db, reader, text)));

  it('of one with a few transactions', () =>
    plans.expectCheap('a few', { pages: 300, tables }, async (db) => {
      const { email } = await findCustomer(db, reader, `cus_${'1'.padStart(26, '0')}`);
      return historyOf(db, reader, email, 25);
    }));
  it('of one with more transactions than are counted', () =>
    plans.expectCheap('many', { ...most, pages: 200_000 }, (db) =>
      historyOf(db, reader, HEAVY, 25),
    ));
});
