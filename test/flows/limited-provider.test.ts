import { expect } from 'chai';
import { recordPause } from '../../domain/accounts/connection/connection.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { limiting } from '../support/faulty-provider.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { useFailover } from './failover-fixture.ts';

describe('While a provider takes no calls, as its 429 says', () => {
  const { stack, first, start, openBreakers, expectSlots, ...fixture } = useFailover();

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
    expect(await openBreakers()).to.deep.equal([]);
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
    expect(await openBreakers()).to.deep.equal([]);
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
