import { expect } from 'chai';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { openFixture } from './fixture.ts';
import { openEmptyDatabase } from './support.ts';

describe('sandbox: its state', () => {
  it('is found again by the next sandbox: accounts, payments, links and what was promised', async () => {
    await using fixture = await openFixture();
    const { body } = await fixture.paystack('POST', '/transaction/initialize', {
      email: 'ada@example.com',
      amount: 5_000,
    });
    const paid = await fixture.sale();
    await fixture.paystack('POST', '/refund', { transaction: paid });
    await fixture.restart();
    const page = `${fixture.sandbox.url}/paystack/checkout/${body.data.access_code}`;
    expect((await fetch(page)).status).to.equal(200);
    await fixture.pass(1_000);
    expect(
      (await fixture.paystack('GET', `/transaction/verify/${paid}`)).body.data.status,
    ).to.equal('reversed');
  });

  it('is made once when several sandboxes start at once', async () => {
    const database = await openEmptyDatabase();
    const options = { sql: database.sql, port: 0, now: () => new Date(), random: Math.random };
    const sandboxes = await Promise.all([1, 2, 3].map(() => startSandbox(options)));
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    await database.close();
  });

  it('goes on with the database of an earlier version', async () => {
    const database = await openEmptyDatabase();
    await database.sql.query('create schema sandbox');
    await database.sql.query(
      `create table sandbox.account (
         id bigint generated always as identity (start with 412829) primary key, provider text not null, slot text not null,
         mode text not null, secret_key text not null, notification_url text, created_at timestamptz not null, unique (provider, secret_key))`,
    );
    await database.sql.query(
      `insert into sandbox.account (provider, slot, mode, secret_key, created_at)
       values ('paystack', 'provider_a', 'test', 'sk_test_earlier', now())`,
    );
    const options = { sql: database.sql, port: 0, now: () => new Date(), random: Math.random };
    for (const start of ['first', 'second']) {
      await using sandbox = await startSandbox(options);
      const reply = await fetch(`${sandbox.url}/paystack/balance`, {
        headers: { authorization: 'Bearer sk_test_earlier' },
      });
      expect(reply.status, start).to.equal(200);
    }
    const [account] = await database.sql.query('select credentials from sandbox.account');
    expect(account).to.deep.equal({ credentials: { secret_key: 'sk_test_earlier' } });
    await database.close();
  });

  it('knows the settlements of an earlier version: that they landed, and what their lines add up to', async () => {
    await using fixture = await openFixture({ database: await openEmptyDatabase() });
    const [paid, waiting] = [await fixture.sale(), await fixture.sale()];
    await fixture.control('POST', '/settle', { leave_out: [waiting] });
    const read = async () => (await fixture.paystack('GET', '/settlement')).body.data;
    const before = await read();
    await fixture.sandbox.close();
    await fixture.sql.query('drop view sandbox.payment_state');
    await fixture.sql.query(
      'alter table sandbox.payment drop column line_number, drop column line_kobo, drop column line_fee_kobo',
    );
    await fixture.sql.query(
      `alter table sandbox.settlement drop column status, drop column line_count, drop column duty_kobo, drop column levy_kobo,
         drop column landed_at, drop column updated_at`,
    );
    await fixture.sql.query(
      `create view sandbox.payment_state as
         select outcome as status, 0::bigint as reversed_kobo, 0::bigint as reversing_kobo, p.* from sandbox.payment p`,
    );
    await fixture.restart();
    expect(await read()).to.deep.equal(before);
    const lines = (await fixture.paystack('GET', `/settlement/${before[0].id}/transactions`)).body;
    expect(lines.data.map((row: { reference: string }) => row.reference)).to.deep.equal([paid]);
    expect(lines.meta).to.include({ total: 1, total_volume: 500_000 });
    await fixture.control('POST', '/settle');
    expect((await read())[0]).to.include({ status: 'success', total_processed: 500_000 });
  });

  it('closes as often as it is asked to', async () => {
    await using fixture = await openFixture();
    await Promise.all([fixture.sandbox.close(), fixture.sandbox.close()]);
    await fixture.sandbox.close();
  });
});
