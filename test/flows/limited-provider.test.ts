import { expect } from 'chai';
import { recordPause } from '../../domain/accounts/connection/connection.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { limiting } from '../support/faulty-provider.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { useFailover } from './failover-fixture.ts';

describe('While a provider takes no calls, as its 429 says', () => {
  const fixture = useFailover();

  const dueInMs = async (charge: { reference: string }) => {
    const { attempts } = await stored(fixture.stack, charge);
    return attempts.at(-1)!.due_at.getTime() - fixture.stack.clock().getTime();
  };

  it('for an hour, and two others work, the payer gets a link at once, and the next charges ask it nothing', async () => {
    await fixture.start();
    fixture.first.behaviour = limiting(3_600);
    const refused = await openCharge(fixture.stack);
    expect(await fixture.slotsOf(refused)).to.deep.equal([['provider_b', 'open']]);
    expect(await fixture.linkOf(refused)).to.match(/^http/);
    const asked = fixture.first.requests.length;
    const skipping = await openCharge(fixture.stack);
    expect(await fixture.slotsOf(skipping)).to.deep.equal([['provider_b', 'open']]);
    expect(fixture.first.requests, 'the paused provider').to.have.length(asked);
    expect(await fixture.openBreakers()).to.deep.equal([]);
    const timeline = await fixture.stack.api.get(`/charges/${skipping.reference}/timeline`);
    expect(JSON.stringify(timeline.json)).to.include(
      'Nothing was sent to provider_a, which takes no more calls for now',
    );
    await fixture.stack.control.pay(skipping.reference);
    await fixture.stack.settle();
    expect(await stored(fixture.stack, skipping)).to.include({ status: 'succeeded' });
  });

  it('for an hour, a charge that names its slot waits for that hour, and uses up no try', async () => {
    await fixture.start();
    fixture.first.behaviour = limiting(3_600);
    const charge = await newCharge(fixture.stack, { provider: 'provider_a' });
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'queued']]);
    expect(await dueInMs(charge)).to.be.within(HOUR - 2 * SECOND, HOUR);
    const [attempt] = (await stored(fixture.stack, charge)).attempts;
    expect(attempt).to.include({ tries: 1, snoozes: 1, sent_at: null });
    fixture.first.behaviour = 'working';
    await fixture.stack.pass(HOUR);
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
  });

  it('and says no time, a charge waits twice for it, and goes elsewhere before a third, longer wait', async () => {
    await fixture.start();
    fixture.first.behaviour = limiting();
    const charge = await newCharge(fixture.stack);
    for (const waitS of [2, 5]) {
      await fixture.stack.settle();
      expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'queued']]);
      expect(await dueInMs(charge)).to.be.within((waitS - 1) * SECOND, waitS * SECOND);
      fixture.stack.clock.advance(waitS * SECOND);
    }
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_b', 'open']]);
    expect(await fixture.openBreakers()).to.deep.equal([]);
  });

  it('and the others take none either, a charge waits for the first of them', async () => {
    await fixture.start();
    fixture.first.behaviour = limiting(3_600);
    const { clock, context } = fixture.stack;
    for (const [slot, pauseMs] of [
      ['provider_b', 5 * MINUTE],
      ['provider_c', MINUTE],
    ] as const) {
      const until = new Date(clock().getTime() + pauseMs);
      await recordPause(context.db, await fixture.connectionIn(slot), 'all', until);
    }
    const charge = await newCharge(fixture.stack);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'queued']]);
    expect(await dueInMs(charge)).to.be.within(MINUTE - 2 * SECOND, MINUTE);
    clock.advance(MINUTE);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_c', 'open']]);
    expect((await stored(fixture.stack, charge)).attempts[0]).to.include({ snoozes: 1 });
    expect(fixture.creates(), 'at the first provider').to.equal(1);
  });

  it('a payment that it may have is cleared up there first, and never sent elsewhere', async () => {
    await fixture.start();
    fixture.first.behaviour = 'silent';
    const charge = await withShortTimeouts(fixture.stack, ['createMs', 'verifyMs'], async () => {
      const unanswered = await newCharge(fixture.stack);
      await fixture.stack.settle();
      return unanswered;
    });
    fixture.first.behaviour = limiting(3_600);
    for (let round = 0; round < 5; round++) {
      await fixture.stack.pass(5 * MINUTE);
      expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'unconfirmed']]);
    }
    fixture.first.behaviour = 'working';
    await fixture.stack.pass(HOUR);
    expect(await fixture.slotsOf(charge), 'found there, without its link').to.deep.equal([
      ['provider_a', 'lost'],
      ['provider_a', 'open'],
    ]);
    expect((await fixture.stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
  });
});
