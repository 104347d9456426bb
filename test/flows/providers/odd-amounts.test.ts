import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { sandboxRefunds } from '../../support/sandbox-store.ts';
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

  const expectSentBack = async (charge: Checkout, kobo: number) => {
    await fixture.pass(3 * SECOND);
    const refunds = await fixture.refunds(charge);
    expect(
      refunds.map(({ origin, status, amount_kobo: amount }) => [origin, status, amount]),
    ).to.deep.equal([['system', 'completed', kobo]]);
    const seen = sandboxRefunds(fixture.stack, charge);
    expect(seen.map(({ amountKobo, status }) => [amountKobo, status])).to.deep.equal([
      [kobo, 'completed'],
    ]);
    expect(await stored(fixture.stack, charge)).to.deep.include({ refunded_kobo: 0, review: [] });
  };

  it('is refunded when it is too small and returned, and the charge stays open', async () => {
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

  it('completes the charge when it is too large; only the excess is refunded when returned', async () => {
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
    expect(fixture.webhooksOf(over)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('stays in review when the provider cannot refund it', async () => {
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

  it('keeps the charge pending past its end while it is too small and undecided; accepted, it completes the charge', async () => {
    await fixture.pass(DAY + MINUTE);
    expect(await stored(fixture.stack, accepted)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    expect(fixture.webhooksOf(accepted)).to.deep.equal([]);
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
    expect(fixture.webhooksOf(accepted)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('no longer delays the end of the charge once it is decided', async () => {
    for (const charge of [returned, byCard]) {
      expect(await stored(fixture.stack, charge)).to.include({
        status: 'failed',
        failure_cause: 'expired',
      });
      expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.failed failed']);
    }
    if (fixture.name !== 'monnify') return;
    expect(await fixture.decide(byCard, 'accept')).to.include({
      status: 'accepted',
      amount_kobo: 60_000,
    });
    expect(await stored(fixture.stack, byCard)).to.deep.include({ status: 'failed', review: [] });
  });
});

describeForEachProvider('After an underpayment was returned', (fixture) => {
  it('the charge can be paid at once: the payer gets a new link, and its payment completes it', async () => {
    const [charge] = (await fixture.together([{ amount_kobo: 60_000 }])) as [Checkout];
    expect(await fixture.visit(charge), 'while a person decides').to.equal(undefined);
    await fixture.decide(charge, 'return');
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    await fixture.visit(charge);
    await fixture.stack.settle();
    expect(await fixture.visit(charge)).to.be.a('string');
    await fixture.pay(charge);
    expect((await fixture.read(charge)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
  });
});
