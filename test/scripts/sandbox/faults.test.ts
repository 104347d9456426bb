import { expect } from 'chai';
import { openDatabase as openEmptyDatabase } from '../../../scripts/sandbox/database.ts';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { newReference, openFixture } from './fixture.ts';

describe('sandbox: faults', () => {
  let chance = 0;
  const fixture = forEachTest(() => openFixture({ random: () => chance }));

  const faults = (given?: object) => fixture.control('/faults', given);

  it('answers 500 to the given share of calls, without executing them', async () => {
    chance = 0.2;
    await faults({ provider: 'paystack', error_rate: 0.25 });
    const reference = newReference();
    const { status, body } = await fixture.create({ reference });
    expect([status, body.status]).to.deep.equal([500, false]);
    chance = 0.3;
    expect((await fixture.shown(reference)).code).to.equal('transaction_not_found');
    for (const cure of [{}, undefined]) {
      await faults({ error_rate: 1 });
      expect((await fixture.call('GET', '/transaction')).status).to.equal(500);
      await faults(cure);
      expect((await fixture.call('GET', '/transaction')).status).to.equal(200);
    }
  });

  it('answers late or loses answers, though none to a call that was refused, and closes at once', async () => {
    const reference = await fixture.sale();
    await faults({ timeout_after_accept_rate: 1 });
    expect((await fixture.create({ email: '' })).status).to.equal(400);
    const brokenOff = (call: Promise<unknown>) =>
      call.then(
        () => 'answered',
        () => 'broken off',
      );
    const lost = brokenOff(fixture.call('POST', '/refund', { transaction: reference }));
    while ((await fixture.get('/refund')).length === 0);
    await faults({ latency_ms: 600_000 });
    const late = brokenOff(fixture.call('GET', '/transaction'));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([fixture.sandbox.close(), fixture.sandbox.close()]);
    expect([await lost, await late]).to.deep.equal(['broken off', 'broken off']);
  });

  it('drops notifications for good, or sends them twice', async () => {
    await faults({ drop_notifications: true });
    await fixture.sale();
    await faults({ duplicate_notifications: true });
    await fixture.pass(120_000);
    expect(fixture.receiver.received).to.deep.equal([]);
    await fixture.sale();
    expect(fixture.receiver.events()).to.deep.equal(['charge.success', 'charge.success']);
  });

  it('delays each notification by a part of the time given, so that they change their order', async () => {
    chance = 0.5;
    await faults({ delay_notifications_ms: 4_000 });
    const late = await fixture.sale();
    chance = 0.1;
    const early = await fixture.sale();
    expect(fixture.receiver.received).to.deep.equal([]);
    for (const ms of [400, 1_600]) await fixture.pass(ms);
    const references = fixture.receiver.received.map(({ body }) => body.data.reference);
    expect(references).to.deep.equal([early, late]);
  });

  it('are answered in the words of each provider', async () => {
    const message = 'An error occurred. Please contact support';
    for (const [provider, status, body] of [
      ['flutterwave', 503, { status: 'error', message, data: null }],
      ['monnify', 500, { requestSuccessful: false }],
    ] as const) {
      await using other = await openFixture({ provider });
      await other.control('/faults', { provider, error_rate: 1 });
      const broken = await other.create();
      expect(broken.status).to.equal(status);
      expect(broken.body).to.include(body);
      await other.control('/faults', { provider, rate_limit_rate: 1 });
      expect((await other.create()).status).to.equal(429);
    }
  });
});

describe('sandbox: its state', () => {
  const fixture = forEachTest(openFixture);

  it('is found by the next sandbox: accounts, payments, links, pending refunds and counts', async () => {
    const { url } = await fixture.open();
    const paid = await fixture.sale();
    await fixture.create({ reference: paid });
    await fixture.create({ amount: 0 });
    await fixture.call('POST', '/refund', { transaction: paid });
    await fixture.sandbox.idle();
    await fixture.restart();
    const { port } = new URL(fixture.sandbox.url);
    expect((await fetch(Object.assign(new URL(url), { port }))).status).to.equal(200);
    await fixture.pass(1_000);
    expect(await fixture.shown(paid)).to.include({ status: 'reversed' });
    expect(await fixture.stats()).to.deep.equal({
      ...{ creates: 4, distinct_references: 3, resent_after_accept: 1 },
      ...{ verifies: 1, captures: 1, refunds: 1, notifications: 4 },
    });
  });

  it('counts a create as resent when its reference was accepted before, even if a fault lost either answer', async () => {
    const neverAccepted = newReference();
    const accepted = await fixture.order();
    await fixture.control('/faults', { error_rate: 1 });
    for (const reference of [neverAccepted, neverAccepted, accepted])
      await fixture.create({ reference });
    const creates = { creates: 4, distinct_references: 2, resent_after_accept: 1 };
    expect(await fixture.stats()).to.include(creates);
  });

  it('is made once when several sandboxes start at once', async () => {
    await using database = openEmptyDatabase(await emptyDatabase());
    const options = { sql: database.sql, port: 0, now: () => new Date(), random: Math.random };
    const sandboxes = await Promise.all([1, 2, 3].map(() => startSandbox(options)));
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  });
});
