import { expect } from 'chai';
import { findByMerchantReference } from '../../../domain/payments/charge/find.ts';
import { linkStatuses } from '../../../domain/payments/entities/payment-link.ts';
import { listLinks, totalOfLinks } from '../../../domain/payments/payment-link/find.ts';
import { listRefunds } from '../../../domain/payments/refund/find.ts';
import { shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { pagesRead } from '../../support/pages-read.ts';
import { usePlans } from '../../support/plans.ts';

/**
 * Thousands of charges of one merchant reference, which anybody with a public key can make; one in
 * a thousand is paid. And links, half of them of one merchant.
 */
const ROWS = [
  `insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo,
     currency, email, metadata, provider_wanted, slot, connection_id, created_by, occurred_at,
     created_at, expires_at)
   select 'txn_' || lpad(n::text, 26, '0'), 'ten_large', 'test', n,
     case when n % 1000 = 0 then 'succeeded' else 'pending' end, 'order-1', 100000, 'NGN',
     'payer@example.com', '{}', 'auto', 'provider_a', 'con_1', 'public', now(), now(),
     now() + interval '1 day'
   from generate_series(1, 20000) n`,
  `insert into payment_links (id, tenant_id, mode, amount_kobo, description, provider_wanted, status,
     created_by, created_at, expires_at)
   select 'lnk_' || lpad(n::text, 26, '0'),
     case when n % 2 = 0 then 'ten_large' else 'ten_' || n % 100 end, 'test', 10000, 'Rice', 'auto',
     case when n % 50 < 2 then 'expired' else 'active' end, 'key_1', now(), now() + interval '1 day'
   from generate_series(1, 16000) n`,
  `insert into refunds (id, tenant_id, mode, charge_id, connection_id, amount_kobo, reason, status,
     requested_by, deducted_kobo, created_at)
   select 'ref_' || lpad(n::text, 26, '0'), 'ten_large', 'test', 'txn_' || lpad(n::text, 26, '0'),
     'con_1', 100, 'Returned', case when n % 50 = 0 then 'completed' else 'rejected' end, 'key_1', 0,
     now()
   from generate_series(1, 16000) n`,
  'vacuum analyze charges, payment_links, refunds',
];

describe('Few database pages are read', () => {
  const plans = usePlans(async (client) => {
    for (const statement of ROWS) await client.query(statement);
  });

  const reader = { tenantId: 'ten_large', mode: 'test' } as const;
  const page = { before: '~', limit: 26, now: new Date() };
  const questions: [what: string, most: number, ask: (sql: Sql) => Promise<unknown>][] = [
    ['a charge among many of its merchant reference', 20, byReference('order-1')],
    ['a charge by an unknown merchant reference', 20, byReference('order-2')],
    ...[undefined, ...linkStatuses].map((status): (typeof questions)[number] => [
      `the count of payment links: ${status ?? 'all'}`,
      900,
      (sql) => totalOfLinks(sql, reader, { now: page.now, status }),
    ]),
    ...[undefined, ...linkStatuses].map((status): (typeof questions)[number] => [
      `a page of payment links: ${status ?? 'all'}`,
      100,
      (sql) => listLinks(sql, reader, { ...page, status }),
    ]),
    ...[undefined, ...shownRefundStatuses].map((status): (typeof questions)[number] => [
      `a page of refunds: ${status ?? 'all'}`,
      200,
      (sql) => listRefunds(sql, reader, { ...page, status, chargeNumber: undefined }),
    ]),
  ];
  function byReference(reference: string) {
    return (sql: Sql) => findByMerchantReference(sql, reader, reference);
  }
  for (const [what, most, ask] of questions)
    it(`for ${what}`, async () => {
      expect(await pagesRead(plans.client, ask)).to.be.within(1, most);
    });
});
