import { expect } from 'chai';
import { Client } from 'pg';
import { findByMerchantReference } from '../../../../domain/payments/charge/find.ts';
import { pagesRead } from '../../../support/pages-read.ts';
import { newDatabase } from '../../../support/postgres.ts';

/**
 * Thousands of charges of one merchant reference, which anybody with a public key can make; one in
 * a thousand is paid.
 */
const CHARGES = `
insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo, currency, email, metadata, provider_wanted, slot,
  connection_id, created_by, occurred_at, created_at, expires_at)
select 'txn_' || lpad(n::text, 26, '0'), 'ten_1', 'test', n, case when n % 1000 = 0 then 'succeeded' else 'pending' end, 'order-1', 100000,
  'NGN', 'payer@example.com', '{}', 'auto', 'provider_a', 'con_1', 'public', now(), now(), now() + interval '1 day'
from generate_series(1, 20000) n`;

describe('A charge found by its merchant reference', () => {
  let client: Client;
  before(async () => {
    client = new Client({ connectionString: await newDatabase() });
    await client.connect();
    await client.query(CHARGES);
    await client.query('vacuum analyze charges');
  });
  after(() => client.end());

  for (const [title, reference] of [
    ['many charges have it', 'order-1'],
    ['no charge has it', 'order-2'],
  ] as const) {
    it(`reads few database pages where ${title}`, async () => {
      const pages = await pagesRead(client, (sql) =>
        findByMerchantReference(sql, { tenantId: 'ten_1', mode: 'test' }, reference),
      );
      expect(pages).to.be.within(1, 20);
    });
  }
});
