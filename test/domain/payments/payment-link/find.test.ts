import { expect } from 'chai';
import { Client } from 'pg';
import { linkStatuses } from '../../../../domain/payments/entities/payment-link.ts';
import { listLinks } from '../../../../domain/payments/payment-link/find.ts';
import { pagesRead } from '../../../support/pages-read.ts';
import { newDatabase } from '../../../support/postgres.ts';

const reader = { tenantId: 'ten_large', mode: 'test' } as const;

const LINKS = `
insert into payment_links (id, tenant_id, mode, amount_kobo, description, provider_wanted, status, created_by, created_at, expires_at)
select 'lnk_' || lpad(n::text, 26, '0'), case when n % 2 = 0 then 'ten_large' else 'ten_' || n % 100 end, 'test', 10000, 'Rice', 'auto',
  case when n % 50 < 2 then 'expired' else 'active' end, 'key_1', now(), now() + interval '1 day'
from generate_series(1, 16000) n`;

describe('A page of payment links', () => {
  let client: Client;
  before(async () => {
    client = new Client({ connectionString: await newDatabase() });
    await client.connect();
    await client.query(LINKS);
    await client.query('vacuum analyze payment_links');
  });
  after(() => client.end());

  for (const status of [undefined, ...linkStatuses]) {
    it(`reads few database pages among many links: ${status ?? 'all'}`, async () => {
      const pages = await pagesRead(client, (sql) =>
        listLinks(sql, reader, { status, before: '~', limit: 26, now: new Date() }),
      );
      expect(pages).to.be.within(1, 100);
    });
  }
});
