import { expect } from 'chai';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';
import { openEmptyDatabase } from './support.ts';

describe('sandbox: its state', () => {
  const fixture = forEachTest(openFixture);

  it('is found by the next sandbox: accounts, payments, links and pending refunds', async () => {
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

  it('can be closed several times', async () => {
    await Promise.all([fixture.sandbox.close(), fixture.sandbox.close()]);
    await fixture.sandbox.close();
  });
});
