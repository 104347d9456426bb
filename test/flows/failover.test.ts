import { expect } from 'chai';
import { recordPause } from '../../domain/accounts/connection/connection.ts';
import { type Checkout, newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { limiting } from '../support/faulty-provider.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
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

  describe('while a provider takes no calls, as its 429 says,', () => {
    const dueInMs = async (charge: { reference: string }) => {
      const { attempts } = await stored(stack, charge);
      return attempts.at(-1)!.due_at.getTime() - stack.clock().getTime();
    };

    it('for an hour, and two others work, the payer gets a link at once, and the next charges ask it nothing', async () => {
      await start();
      first.behaviour = limiting(3_600);
      const refused = await openCharge(stack);
      await expectSlots(refused, 'provider_b open');
      expect(await fixture.linkOf(refused)).to.match(/^http/);
      const asked = first.requests.length;
      const skipping = await openCharge(stack);
      await expectSlots(skipping, 'provider_b open');
      expect(first.requests, 'the paused provider').to.have.length(asked);
      expect(await fixture.openBreakers()).to.deep.equal([]);
      const timeline = await stack.api.get(`/charges/${skipping.reference}/timeline`);
      expect(JSON.stringify(timeline.json)).to.include(
        'Nothing was sent to provider_a, which takes no more calls for now',
      );
      await stack.control.pay(skipping.reference);
      await stack.settle();
      expect(await stored(stack, skipping)).to.include({ status: 'succeeded' });
    });

    it('for an hour, a charge that names its slot waits for that hour, and uses up no try', async () => {
      await start();
      first.behaviour = limiting(3_600);
      const charge = await newCharge(stack, { provider: 'provider_a' });
      await stack.settle();
      await expectSlots(charge, 'provider_a queued');
      expect(await dueInMs(charge)).to.be.within(HOUR - 2 * SECOND, HOUR);
      const [attempt] = (await stored(stack, charge)).attempts;
      expect(attempt).to.include({ tries: 1, snoozes: 1, sent_at: null });
      first.behaviour = 'working';
      await stack.pass(HOUR);
      await expectSlots(charge, 'provider_a open');
    });

    it('and says no time, a charge waits twice for it, and goes elsewhere before a third, longer wait', async () => {
      await start();
      first.behaviour = limiting();
      const charge = await newCharge(stack);
      for (const waitS of [2, 5]) {
        await stack.settle();
        await expectSlots(charge, 'provider_a queued');
        expect(await dueInMs(charge)).to.be.within((waitS - 1) * SECOND, waitS * SECOND);
        stack.clock.advance(waitS * SECOND);
      }
      await stack.settle();
      await expectSlots(charge, 'provider_b open');
      expect(await fixture.openBreakers()).to.deep.equal([]);
    });

    it('and the others take none either, a charge waits for the first of them', async () => {
      await start();
      first.behaviour = limiting(3_600);
      const { clock, context } = stack;
      for (const [slot, pauseMs] of [
        ['provider_b', 5 * MINUTE],
        ['provider_c', MINUTE],
      ] as const) {
        const until = new Date(clock().getTime() + pauseMs);
        await recordPause(context.db, await fixture.connectionIn(slot), 'all', until);
      }
      const charge = await newCharge(stack);
      await stack.settle();
      await expectSlots(charge, 'provider_a queued');
      expect(await dueInMs(charge)).to.be.within(MINUTE - 2 * SECOND, MINUTE);
      clock.advance(MINUTE);
      await stack.settle();
      await expectSlots(charge, 'provider_c open');
      expect((await stored(stack, charge)).attempts[0]).to.include({ snoozes: 1 });
      expect(fixture.creates(), 'at the first provider').to.equal(1);
    });

    it('a payment that it may have is cleared up there first, and never sent elsewhere', async () => {
      await start();
      first.behaviour = 'silent';
      const charge = await withShortTimeouts(stack, ['createMs', 'verifyMs'], async () => {
        const unanswered = await newCharge(stack);
        await stack.settle();
        return unanswered;
      });
      first.behaviour = limiting(3_600);
      for (let round = 0; round < 5; round++) {
        await stack.pass(5 * MINUTE);
        await expectSlots(charge, 'provider_a unconfirmed');
      }
      first.behaviour = 'working';
      await stack.pass(HOUR);
      await expectSlots(charge, 'provider_a lost', 'provider_a open');
      expect((await stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
    });
  });
});
