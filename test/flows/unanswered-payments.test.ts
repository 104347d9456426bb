import { expect } from 'chai';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../support/clock.ts';
import { limiting } from '../support/faulty-provider.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { OPEN_BRIEFLY, useFailover } from './failover-fixture.ts';

describe('A payment at a provider that does not answer', () => {
  const fixture = useFailover();

  it('is verified if it may exist, and replaced by one other link after a minute, but still checked', async () => {
    await fixture.start();
    fixture.first.behaviour = 'silent';
    const charge = await withShortTimeouts(fixture.stack, ['createMs', 'verifyMs'], async () => {
      const unanswered = await newCharge(fixture.stack);
      await fixture.stack.settle();
      return unanswered;
    });
    fixture.first.behaviour = 'failing';
    for (let round = 0; round < 3; round++) {
      fixture.stack.clock.advance(10 * SECOND);
      await fixture.stack.settle();
    }
    expect(await fixture.openBreakers()).to.have.length(1);
    expect(await fixture.slotsOf(charge), 'half a minute without an answer').to.deep.equal([
      ['provider_a', 'unconfirmed'],
    ]);
    fixture.stack.clock.advance(2 * MINUTE);
    await fixture.stack.settle();
    expect(await fixture.slotsOf(charge)).to.deep.equal([
      ['provider_a', 'lost'],
      ['provider_b', 'open'],
    ]);
    expect(fixture.creates(), 'sent once').to.equal(1);
    const [lost, current] = (await stored(fixture.stack, charge)).attempts;
    expect(lost).to.include({ url: null }).and.to.have.property('due_at').that.is.instanceOf(Date);
    expect((await fixture.linkOf(charge))!.replaceAll('&amp;', '&')).to.equal(current!.url);
    expect((await fixture.stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
  });

  it('is found once the provider answers again: silence is never taken for an answer', async () => {
    await fixture.start(OPEN_BRIEFLY);
    const charge = await openCharge(fixture.stack);
    expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    await fixture.stack.control.pay(charge.reference, { notify: false });
    fixture.first.behaviour = 'failing';
    for (let round = 0; round < 6; round++) {
      fixture.stack.clock.advance(MINUTE);
      await fixture.stack.settle();
    }
    fixture.stack.clock.advance(2 * DAY);
    await fixture.stack.settle();
    expect(await stored(fixture.stack, charge), 'after its expiry').to.include({
      status: 'pending',
    });
    fixture.first.behaviour = 'working';
    // A half-open breaker lets one call at a time through, and the first may be another job's.
    for (let round = 0; round < 3; round++) {
      fixture.stack.clock.advance(70 * MINUTE);
      await fixture.stack.settle();
    }
    expect(await stored(fixture.stack, charge)).to.include({ status: 'succeeded' });
  });

  it('is verified to the last check while the breaker is open', async () => {
    await fixture.start();
    const charge = await openCharge(fixture.stack);
    await fixture.stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    fixture.stack.clock.advance(11 * SECOND);
    await fixture.stack.settle();
    expect(await stored(fixture.stack, charge)).to.include({ status: 'failed' });
    await fixture.openFirstBreaker();
    fixture.stack.clock.advance(80 * 60 * MINUTE);
    await fixture.stack.settle();
    const [attempt] = (await stored(fixture.stack, charge)).attempts;
    expect(attempt!.due_at, 'the check after 72 hours is still due').to.be.instanceOf(Date);
  });

  for (const retryAfterS of [8, 40]) {
    it(`waits as long as Retry-After when calls to the slot it names are limited for ${retryAfterS} s: it uses up no try and opens no breaker`, async () => {
      await fixture.start();
      fixture.first.behaviour = limiting(retryAfterS);
      const charge = await newCharge(fixture.stack, { provider: 'provider_a' });
      await fixture.stack.settle();
      const [attempt] = (await stored(fixture.stack, charge)).attempts;
      expect(attempt).to.include({
        slot: 'provider_a',
        status: 'queued',
        tries: 1,
        snoozes: 1,
        sent_at: null,
      });
      const waitMs = attempt!.due_at.getTime() - fixture.stack.clock().getTime();
      expect(waitMs).to.be.within(retryAfterS * SECOND - 1_000, retryAfterS * SECOND);
      for (let round = 0; round < 6; round++) {
        fixture.stack.clock.advance(MINUTE);
        await fixture.stack.settle();
      }
      expect(await fixture.openBreakers()).to.deep.equal([]);
      fixture.first.behaviour = 'working';
      fixture.stack.clock.advance(5 * MINUTE);
      await fixture.stack.settle();
      expect(await fixture.slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    });
  }
});
