import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newReference, openFixture } from './fixture.ts';

const order = { email: 'ada@example.com', amount: 500_000 };

describe('sandbox: faults', () => {
  let chance = 0;
  const fixture = forEachTest(() => openFixture({ random: () => chance }));

  it('answers 500 to the given share of calls, without executing them', async () => {
    chance = 0.2;
    await fixture.control('POST', '/faults', { provider: 'paystack', error_rate: 0.25 });
    const reference = newReference();
    const sent = { ...order, reference };
    const { status, body } = await fixture.paystack('POST', '/transaction/initialize', sent);
    expect([status, body.status]).to.deep.equal([500, false]);
    chance = 0.3;
    const verified = await fixture.paystack('GET', `/transaction/verify/${reference}`);
    expect(verified.body.code).to.equal('transaction_not_found');
  });

  it('leaves accepted refunds unanswered, and ends their sockets when it closes', async () => {
    const reference = await fixture.sale();
    await fixture.control('POST', '/faults', { timeout_after_accept_rate: 1 });
    const call = fixture.paystack('POST', '/refund', { transaction: reference }).then(
      () => 'answered',
      () => 'broken off',
    );
    await until(async () => (await fixture.paystack('GET', '/refund')).body.data.length === 1);
    await fixture.sandbox.close();
    expect(await call).to.equal('broken off');
  });

  it('never loses the answer to a call that was refused', async () => {
    await fixture.control('POST', '/faults', { timeout_after_accept_rate: 1 });
    expect((await fixture.paystack('POST', '/transaction/initialize', {})).status).to.equal(400);
  });

  it('answers late, and still closes at once', async () => {
    await fixture.control('POST', '/faults', { latency_ms: 600_000 });
    const call = fixture.paystack('GET', '/transaction').catch(() => 'broken off');
    expect(await isPending(call)).to.equal(true);
    await fixture.sandbox.close();
    expect(await call).to.equal('broken off');
  });

  it('drops notifications for good', async () => {
    await fixture.control('POST', '/faults', { drop_notifications: true });
    await fixture.sale();
    await fixture.control('POST', '/faults');
    await fixture.pass(120_000);
    expect(fixture.receiver.received).to.deep.equal([]);
  });

  it('sends notifications twice', async () => {
    await fixture.control('POST', '/faults', { duplicate_notifications: true });
    await fixture.sale();
    expect(fixture.receiver.events()).to.deep.equal(['charge.success', 'charge.success']);
  });

  it('delays each notification by a part of the time given, so that they change their order', async () => {
    chance = 0.5;
    await fixture.control('POST', '/faults', { delay_notifications_ms: 4_000 });
    const late = await fixture.sale();
    chance = 0.1;
    const early = await fixture.sale();
    expect(fixture.receiver.received).to.deep.equal([]);
    for (const ms of [400, 1_600]) await fixture.pass(ms);
    const references = fixture.receiver.received.map(({ body }) => body.data.reference);
    expect(references).to.deep.equal([early, late]);
  });

  it('has no faults after an empty body, or none', async () => {
    for (const cure of [{}, undefined]) {
      await fixture.control('POST', '/faults', { error_rate: 1 });
      expect((await fixture.paystack('GET', '/transaction')).status).to.equal(500);
      await fixture.control('POST', '/faults', cure);
      expect((await fixture.paystack('GET', '/transaction')).status).to.equal(200);
    }
  });
});

/** Asks until it is so; the mocha time-out is the limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(resolve, true));
  return Promise.race([promise.then(() => false), turn]);
}
