import { expect } from 'chai';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../support/clock.ts';
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

  it('finds a payment once the provider answers again: silence is never taken for an answer', async () => {
    await fixture.start(OPEN_BRIEFLY);
    const charge = await openCharge(fixture.stack);
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    await fixture.stack.control.pay(charge.reference, { notify: false });
    fixture.first.behaviour = 'failing';
    for (let round = 0; round < 6; round++) await fixture.stack.pass(MINUTE);
    await fixture.stack.pass(2 * DAY);
    expect(await stored(fixture.stack, charge), 'after its expiry').to.include({
      status: 'pending',
    });
    fixture.first.behaviour = 'working';
    // A half-open breaker lets one call at a time through, and the first may be another job's.
    for (let round = 0; round < 3; round++) await fixture.stack.pass(70 * MINUTE);
    expect(await stored(fixture.stack, charge)).to.include({ status: 'succeeded' });
  });

  it('verifies a payment to the last check while the breaker is open', async () => {
    await fixture.start();
    const charge = await openCharge(fixture.stack);
    await fixture.stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    await fixture.stack.pass(11 * SECOND);
    expect(await stored(fixture.stack, charge)).to.include({ status: 'failed' });
    await fixture.openFirstBreaker();
    await fixture.stack.pass(80 * 60 * MINUTE);
    const [attempt] = (await stored(fixture.stack, charge)).attempts;
    expect(attempt!.due_at, 'the check after 72 hours is still due').to.be.instanceOf(Date);
  });
});
