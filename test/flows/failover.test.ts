import { expect } from 'chai';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { refusing } from '../support/faulty-provider.ts';
import { until } from '../support/until.ts';
import { OPEN_BRIEFLY, OPEN_FOR_A_MOMENT, useFailover } from './failover-fixture.ts';

describe('Failover', () => {
  const fixture = useFailover();

  it('creates the payment at the next connection while the first one’s breaker is open', async () => {
    await fixture.start();
    await fixture.openFirstBreaker();
    expect(await fixture.openBreakers()).to.deep.equal(['provider_a']);
    const before = fixture.first.requests.length;
    const charge = await openCharge(fixture.stack);
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_b', 'open']]);
    expect(fixture.first.requests).to.have.length(before);
    const { json } = await fixture.stack.api.get(`/charges/${charge.reference}`);
    expect(json).to.include({ provider: 'provider_b', status: 'open' });
    const timeline = await fixture.stack.api.get(`/charges/${charge.reference}/timeline`);
    expect(JSON.stringify(timeline.json))
      .to.include('attempt.passed_over')
      .and.to.include('Nothing was sent to provider_a');
    await fixture.stack.control.pay(charge.reference);
    await fixture.stack.settle();
    expect(await stored(fixture.stack, charge)).to.include({
      status: 'succeeded',
      slot: 'provider_b',
    });
  });

  it('leaves a charge at the slot it names: it waits, and uses up no try', async () => {
    await fixture.start();
    await fixture.openFirstBreaker();
    const before = fixture.first.requests.length;
    const charge = await newCharge(fixture.stack, { provider: 'provider_a' });
    for (let round = 0; round < 5; round++) {
      await fixture.stack.settle();
      fixture.stack.clock.advance(MINUTE);
    }
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'queued']]);
    const [attempt] = (await stored(fixture.stack, charge)).attempts;
    expect(attempt!.snoozes).to.be.greaterThan(2).and.to.equal(attempt!.tries);
    expect(fixture.first.requests).to.have.length(before);
  });

  it('waits while every breaker is open: no charge fails and no try is used up', async () => {
    await fixture.start();
    await fixture.stack.context.db.query(
      `update connections set disabled_at = $1 where slot <> 'provider_a'`,
      [fixture.stack.clock()],
    );
    await fixture.openFirstBreaker();
    const before = fixture.first.requests.length;
    const charge = await newCharge(fixture.stack);
    for (let round = 0; round < 5; round++) {
      await fixture.stack.settle();
      fixture.stack.clock.advance(MINUTE);
    }
    const { status, attempts } = await stored(fixture.stack, charge);
    expect(status).to.equal('initiated');
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.include({ status: 'queued', sent_at: null });
    expect(attempts[0]!.snoozes).to.be.greaterThan(2).and.to.equal(attempts[0]!.tries);
    expect(fixture.first.requests).to.have.length(before);
    await fixture.stack.context.db.query('update connections set disabled_at = null');
    fixture.stack.clock.advance(5 * MINUTE);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge), 'at the first usable connection').to.deep.equal([
      ['provider_b', 'open'],
    ]);
  });

  it('creates a waiting payment at its connection once that works again', async () => {
    await fixture.start(OPEN_BRIEFLY);
    const waited = await fixture.openFirstBreaker();
    fixture.first.behaviour = 'working';
    await until('a half-open breaker', async () => (await fixture.openBreakers()).length === 0);
    for (const wait of [10 * MINUTE, 5 * SECOND]) {
      fixture.stack.clock.advance(wait); // a half-open breaker lets one call at a time through, and the first may be another job's
      await fixture.stack.settle();
    }
    expect(await fixture.slotsOf(waited)).to.deep.equal([['provider_a', 'open']]);
    expect(await fixture.slotsOf(await openCharge(fixture.stack))).to.deep.equal([
      ['provider_a', 'open'],
    ]);
  });

  it('tries a half-open connection by a harmless call, never by a payment', async () => {
    await fixture.start(OPEN_FOR_A_MOMENT);
    await fixture.openFirstBreaker();
    const connection = await fixture.connectionIn('provider_a');
    await until('a half-open breaker', async () => fixture.stack.context.isHalfOpen(connection));
    const before = fixture.first.requests.length;
    const charge = await newCharge(fixture.stack);
    const [attempt] = (await stored(fixture.stack, charge)).attempts;
    await until(
      'another connection',
      async () => (await stored(fixture.stack, charge)).attempts[0]!.slot === 'provider_b',
    );
    expect(
      fixture.first.requests.slice(before).filter((call) => call.startsWith('POST')),
    ).to.deep.equal([]);
    expect((await stored(fixture.stack, charge)).attempts.map(({ id }) => id)).to.deep.equal([
      attempt!.id,
    ]);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_b', 'open']]);
  });

  it('leaves a payment that may exist at an open breaker for a minute, and then makes another', async () => {
    await fixture.start();
    fixture.first.behaviour = 'failing';
    const charge = await newCharge(fixture.stack);
    await fixture.stack.settle();
    await fixture.openFirstBreaker();
    expect(await fixture.openBreakers()).to.deep.equal(['provider_a']);
    fixture.stack.clock.advance(20 * SECOND);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'unconfirmed']]);
    fixture.stack.clock.advance(5 * MINUTE);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([
      ['provider_a', 'lost'],
      ['provider_b', 'open'],
    ]);
  });

  it('goes to the next connection after a refusal, which opens no breaker', async () => {
    await fixture.start();
    fixture.first.behaviour = refusing;
    for (let made = 0; made < 5; made++) {
      expect(await fixture.slotsOf(await openCharge(fixture.stack))).to.deep.equal([
        ['provider_a', 'refused'],
        ['provider_b', 'open'],
      ]);
    }
    expect(await fixture.openBreakers()).to.deep.equal([]);
  });
});
