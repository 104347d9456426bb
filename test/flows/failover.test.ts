import { expect } from 'chai';
import { type Checkout, newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../support/clock.ts';
import { until } from '../support/until.ts';
import { OPEN_BRIEFLY, OPEN_FOR_A_MOMENT, useFailover } from './failover-fixture.ts';

const provider = 'provider_a';

describe('Failover', () => {
  const { stack, first, start, openFirstBreaker, expectSlots, ...fixture } = useFailover();

  it('creates the payment at the next connection while the first one’s breaker is open', async () => {
    await start();
    await openFirstBreaker();
    expect(await fixture.openBreakers()).to.deep.equal(['provider_a']);
    const before = first.requests.length;
    const charge = await openCharge(stack);
    await expectSlots(charge, 'provider_b open');
    expect(first.requests).to.have.length(before);
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json).to.include({ provider: 'provider_b', status: 'open' });
    const timeline = await stack.api.get(`/charges/${charge.reference}/timeline`);
    expect(JSON.stringify(timeline.json))
      .to.include('attempt.passed_over')
      .and.to.include('Nothing was sent to provider_a');
    await stack.control.pay(charge.reference);
    await stack.settle();
    const paid = { status: 'succeeded', slot: 'provider_b' };
    expect(await stored(stack, charge)).to.include(paid);
  });

  it('tries a half-open connection by a harmless call, never by a payment', async () => {
    await start(OPEN_FOR_A_MOMENT);
    await openFirstBreaker();
    const connection = await fixture.connectionIn('provider_a');
    await until('a half-open breaker', async () => stack.context.isHalfOpen(connection));
    const before = fixture.creates();
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts;
    const current = async () => (await stored(stack, charge)).attempts;
    await until('another connection', async () => (await current())[0]!.slot === 'provider_b');
    expect(fixture.creates()).to.equal(before);
    expect((await current()).map(({ id }) => id)).to.deep.equal([attempt!.id]);
    await stack.settle();
    await expectSlots(charge, 'provider_b open');
  });

  it('finds a payment once the provider answers again: silence is never taken for an answer', async () => {
    await start(OPEN_BRIEFLY);
    const charge = await openCharge(stack);
    await expectSlots(charge, 'provider_a open');
    await stack.control.pay(charge.reference, { notify: false });
    first.behaviour = 'failing';
    for (let round = 0; round < 6; round++) await stack.pass(MINUTE);
    await stack.pass(2 * DAY);
    expect((await stored(stack, charge)).status, 'after its expiry').to.equal('pending');
    first.behaviour = 'working';
    // A half-open breaker lets one call at a time through, and the first may be another job's.
    for (let round = 0; round < 3; round++) await stack.pass(70 * MINUTE);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
  });

  it('verifies a payment to the last check while the breaker is open', async () => {
    await start();
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    await stack.pass(11 * SECOND);
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await openFirstBreaker();
    await stack.pass(80 * 60 * MINUTE);
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt!.due_at, 'the check after 72 hours is still due').to.be.instanceOf(Date);
  });

  describe('that ends after many tries', () => {
    async function whileItFails(): Promise<{ created: Checkout; paid: Checkout }> {
      await start(OPEN_FOR_A_MOMENT);
      const paid = await openCharge(stack, { provider });
      first.behaviour = 'failing';
      const created = await newCharge(stack, { provider });
      await stack.control.pay(paid.reference, { channel: 'bank_transfer' });
      for (let minute = 0; minute < 6; minute++) {
        await stack.settle();
        stack.clock.advance(MINUTE);
      }
      await stack.settle();
      expect(await statusesOf({ created, paid })).to.deep.equal(['initiated', 'pending']);
      await until('half-open', async () => stack.context.openBreakers().length === 0);
      first.behaviour = 'working';
      return { created, paid };
    }
    const statusesOf = async (charges: Record<'created' | 'paid', Checkout>) => [
      (await stored(stack, charges.created)).status,
      (await stored(stack, charges.paid)).status,
    ];

    it('is asked at once for all that waits', async () => {
      const charges = await whileItFails();
      await newCharge(stack, { provider });
      await stack.settle();
      expect(await statusesOf(charges)).to.deep.equal(['pending', 'succeeded']);
    });

    it('is not asked by a paused queue', async () => {
      const charges = await whileItFails();
      const creates = stack.context.queues.all.get('charge-create')!;
      await creates.pause();
      await stack.api.get(`/charges/${charges.paid.reference}`); // which asks the provider
      await until('its job', async () => (await creates.getWaitingCount()) === 1);
      expect(await statusesOf(charges)).to.deep.equal(['initiated', 'succeeded']);
      await creates.resume();
      await stack.settle();
      expect(await statusesOf(charges)).to.deep.equal(['pending', 'succeeded']);
    });
  });
});
