import { expect } from 'chai';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { openStage } from './stage.ts';
import { openDatabase } from './support.ts';

describe('sandbox: its state', () => {
  it('is found again by the next sandbox: accounts, payments, links and what was promised', async () => {
    await using stage = await openStage();
    const { body } = await stage.paystack('POST', '/transaction/initialize', { email: 'ada@example.com', amount: 5_000 });
    const paid = await stage.sale();
    await stage.paystack('POST', '/refund', { transaction: paid });
    await stage.restart();
    const page = `${stage.sandbox.url}/paystack/checkout/${body.data.access_code}`;
    expect((await fetch(page)).status).to.equal(200);
    await stage.pass(1_000);
    expect((await stage.paystack('GET', `/transaction/verify/${paid}`)).body.data.status).to.equal('reversed');
  });

  it('is made once when several sandboxes start at once', async () => {
    const database = await openDatabase();
    const options = { sql: database.sql, port: 0, now: () => new Date(), random: Math.random };
    const sandboxes = await Promise.all([1, 2, 3].map(() => startSandbox(options)));
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    await database.close();
  });

  it('closes as often as it is asked to', async () => {
    await using stage = await openStage();
    await Promise.all([stage.sandbox.close(), stage.sandbox.close()]);
    await stage.sandbox.close();
  });
});
