import { expect } from 'chai';
import { enterDispute } from '../../../domain/payments/commands/enter-dispute.ts';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { chargesOf, newLink, readLink, submit } from '../../support/payment-links.ts';
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

  /** The service refunds it: the provider shows the refund, the merchant gets no event. */
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

describeForEachProvider('Returning an overpayment', (fixture) => {
  it('sends the review’s amount and no more: ₦5,000 asked, ₦6,000 paid, a dispute of ₦2,000 lost, then returned', async () => {
    await runHousekeeping(fixture.stack.context); // connections get their tasks
    const charge = await fixture.open({ amount_kobo: 500_000 });
    await fixture.pay(charge, { amount_kobo: 600_000 });
    await fixture.stack.control.dispute(charge.reference, 'lost', 200_000);
    await reportLost(charge, 200_000);
    expect(await stored(fixture.stack, charge)).to.deep.include({
      status: 'refunded',
      review: ['overpaid'],
    });
    expect(await fixture.decide(charge, 'return')).to.include({ amount_kobo: 100_000 });
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    expect(sentBack(charge)).to.deep.equal([100_000]);
    expect((await fixture.refunds(charge)).map(({ origin }) => origin)).to.deep.equal(['system']);
  });

  it('is refused, with the reason, where a lost dispute of all of it left nothing to return', async () => {
    const charge = await fixture.open({ amount_kobo: 500_000 });
    await fixture.pay(charge, { amount_kobo: 600_000 });
    await fixture.stack.control.dispute(charge.reference, 'lost');
    await reportLost(charge, 600_000);
    const refusal = await fixture.decide(charge, 'return').catch((error: Error) => error.message);
    expect(refusal).to.include('There is nothing left to return');
    expect(await fixture.refunds(charge)).to.deep.equal([]);
    expect((await fixture.decide(charge, 'accept')).status).to.equal('accepted');
  });

  /** As each provider reports it; a dispute at Monnify is known by e-mail and entered by hand. */
  const reportLost = async ({ reference }: Checkout, amountKobo: number) => {
    if (fixture.name === 'monnify') {
      const chargeNumber = Number(reference.slice(3));
      const entered = { chargeNumber, state: 'lost', amountKobo, note: null } as const;
      await fixture.stack.context.inTx((tx) => enterDispute(tx, entered));
    }
    await fixture.pass(fixture.name === 'flutterwave' ? HOUR + MINUTE : 3 * SECOND);
  };
  const sentBack = (charge: Checkout) =>
    sandboxRefunds(fixture.stack, charge)
      .filter(({ status }) => status === 'completed')
      .map(({ amountKobo }) => amountKobo);
});

describeForEachProvider('After an underpayment was returned', (fixture) => {
  it('the charge can be paid at once: the payer gets a new link, and its payment completes it', async () => {
    const [charge] = (await fixture.together([{ amount_kobo: 60_000 }])) as [Checkout];
    const first = await fixture.visit(charge);
    expect(first, 'while a person decides').to.equal(undefined);
    await fixture.decide(charge, 'return');
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    await fixture.visit(charge);
    await fixture.stack.settle();
    const link = await fixture.visit(charge);
    expect(link).to.be.a('string');
    await fixture.pay(charge);
    expect((await fixture.read(charge)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('so can its payment link', async () => {
    const { stack } = fixture;
    const link = await newLink(stack, { amount_kobo: 100_000, provider: fixture.slot });
    const pay = async (options: object) => {
      await submit(stack, link);
      await stack.settle();
      const [charge, ...more] = await chargesOf(stack, link);
      expect(more, 'the link has one charge').to.deep.equal([]);
      const { json } = await stack.api.get<Checkout>(`/charges/${charge!.reference}`);
      await fixture.visit(json);
      await stack.settle();
      await fixture.pay(json, options);
      return json;
    };
    const charge = await pay({ amount_kobo: 60_000 });
    await fixture.decide(charge, 'return');
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    await pay({});
    expect(await readLink(stack, link)).to.include({ status: 'paid' });
  });
});
