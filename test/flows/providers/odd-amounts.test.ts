import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment of the wrong amount', (fixture) => {
  let accepted: Checkout;
  let returned: Checkout;
  let over: Checkout;
  let byCard: Checkout;
  before(async () => {
    const ways = [60_000, 60_000, 150_000].map((kobo) => ({ amount_kobo: kobo }));
    [accepted, returned, over, byCard] = (await fixture.together([
      ...ways,
      { amount_kobo: 60_000, channel: 'card' },
    ])) as [Checkout, Checkout, Checkout, Checkout];
  });

  /** What the service sends back by itself: seen at the provider, and no news for the merchant. */
  const expectSentBack = async (charge: Checkout, kobo: number) => {
    await fixture.pass(3 * SECOND);
    const refunds = await fixture.refunds(charge);
    expect(
      refunds.map(({ origin, status, amount_kobo: amount }) => [origin, status, amount]),
    ).to.deep.equal([['system', 'completed', kobo]]);
    const seen = await fixture.stack.context.db.query(
      'select r.amount_kobo, r.status from sandbox.refund r join sandbox.payment p on p.id = payment_id where p.reference like $1',
      [`${charge.reference}-%`],
    );
    expect(seen).to.deep.equal([{ amount_kobo: kobo, status: 'completed' }]);
    expect(await stored(fixture.stack, charge)).to.deep.include({ refunded_kobo: 0, review: [] });
  };

  it('that is too little, returned, goes back, and the charge is as open as before', async () => {
    expect(await stored(fixture.stack, returned)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    expect(await fixture.decide(returned, 'return')).to.include({
      reason: 'underpaid',
      status: 'returned',
      amount_kobo: 60_000,
    });
    await expectSentBack(returned, 60_000);
    expect((await stored(fixture.stack, returned)).status).to.equal('pending');
  });

  it('that is too much completes the charge; its excess, returned, goes back alone', async () => {
    expect(await stored(fixture.stack, over)).to.deep.include({
      status: 'succeeded',
      review: ['overpaid'],
      amount_kobo: 100_000,
    });
    expect(await fixture.decide(over, 'return')).to.include({
      reason: 'overpaid',
      status: 'returned',
      amount_kobo: 50_000,
    });
    await expectSentBack(over, 50_000);
    expect((await fixture.read(over)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(fixture.told(over)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('that cannot go back stays with a person', async () => {
    await fixture.decide(byCard, 'return');
    if (fixture.name !== 'monnify') return expectSentBack(byCard, 60_000);
    expect(
      (await fixture.refunds(byCard)).map(({ origin, status }) => [origin, status]),
    ).to.deep.equal([['system', 'failed']]);
    expect(await stored(fixture.stack, byCard)).to.deep.include({
      status: 'pending',
      review: ['extra_capture'],
    });
  });

  it('that is too little, and undecided, outlives the charge’s end; accepted, it is the charge’s', async () => {
    await fixture.pass(DAY + MINUTE);
    expect(await stored(fixture.stack, accepted)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    expect(fixture.told(accepted)).to.deep.equal([]);
    expect(await fixture.decide(accepted, 'accept')).to.include({
      reason: 'underpaid',
      status: 'accepted',
      amount_kobo: 60_000,
    });
    expect((await fixture.read(accepted)).transaction).to.include({
      status: 'succeeded',
      amount_kobo: 100_000,
      provider: fixture.slot,
    });
    expect(fixture.told(accepted)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('that was decided on holds the charge’s end up no longer', async () => {
    for (const charge of [returned, byCard]) {
      expect(await stored(fixture.stack, charge)).to.include({
        status: 'failed',
        failure_cause: 'expired',
      });
      expect(fixture.told(charge)).to.deep.equal(['charge.failed failed']);
    }
    if (fixture.name !== 'monnify') return;
    expect(await fixture.decide(byCard, 'accept')).to.include({
      status: 'accepted',
      amount_kobo: 60_000,
    });
    expect(await stored(fixture.stack, byCard)).to.deep.include({ status: 'failed', review: [] });
  });
});
