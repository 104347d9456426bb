import { expect } from 'chai';
import { HOUR } from '../../../support/clock.ts';
import { useLedger } from '../../ledger.ts';
import { openRefundFixture, type RefundFixture } from '../refund-fixture.ts';

describe('Deciding a review after part of the money was refunded', () => {
  const ledger = useLedger();

  type Step = (fixture: RefundFixture) => Promise<unknown>;
  const pay =
    (kobo: number): Step =>
    ({ pay }) =>
      pay(kobo);
  const accept: Step = ({ decideReview }) => decideReview('accepted');
  const giveBack: Step = ({ decideReview }) => decideReview('returned');
  const lose: Step = ({ dispute }) => dispute('lost');
  const refund: Step = async (fixture) => fixture.runJob(await fixture.requestRefund());
  const sendAll: Step = ({ sendAll }) => sendAll();
  const refundElsewhere: Step = ({ chargeId, listMore }) =>
    listMore([{ providerRefundId: `elsewhere-${chargeId}`, amountKobo: 100_000 }]);
  const openReviews = async ({ chargeId }: RefundFixture) =>
    (await ledger.reviews(chargeId)).filter(({ status }) => status === 'open');

  /** `sent`: what left, in kobo. */
  const stories: Record<string, { steps: Step[]; sent: number[]; charge?: object }> = {
    'returns the excess that was paid after an earlier excess was returned': {
      steps: [pay(700_000), giveBack, sendAll, pay(900_000), giveBack],
      sent: [200_000, 200_000],
      charge: { status: 'succeeded', refunded_kobo: 0 },
    },
    'returns the excess that was paid after an underpayment was returned': {
      steps: [pay(300_000), giveBack, pay(500_000), giveBack],
      sent: [300_000, 200_000],
    },
    'returns the excess that was paid after an accepted underpayment was refunded': {
      steps: [pay(300_000), accept, refund, pay(500_000), giveBack],
      sent: [300_000, 200_000],
      charge: { status: 'refunded', refunded_kobo: 300_000 },
    },
    'returns only what was not refunded at the provider': {
      steps: [pay(300_000), refundElsewhere, giveBack],
      sent: [200_000],
    },
    'accepts an underpayment with the part that was refunded': {
      steps: [pay(300_000), refundElsewhere, accept],
      sent: [],
      charge: { status: 'succeeded', refunded_kobo: 100_000 },
    },
    'is not needed once the rest is paid: the charge counts the earlier refund': {
      steps: [pay(300_000), refundElsewhere, pay(500_000)],
      sent: [],
      charge: { status: 'succeeded', refunded_kobo: 100_000 },
    },
    'returns a later top-up of ₦2,000 after a dispute without an amount was lost': {
      steps: [pay(300_000), accept, lose, pay(500_000), giveBack],
      sent: [200_000],
    },
  };
  for (const [title, { steps, sent, charge = {} }] of Object.entries(stories))
    it(title, async () => {
      const fixture = await openRefundFixture(ledger);
      for (const step of [...steps, sendAll]) await step(fixture);
      expect(fixture.sent).to.deep.equal(sent);
      expect(await ledger.charge(fixture.chargeId)).to.include(charge);
      expect(await openReviews(fixture)).to.deep.equal([]);
    });

  it('leaves the decision on record once all of the payment went back', async () => {
    const fixture = await openRefundFixture(ledger);
    for (const step of [pay(300_000), giveBack]) await step(fixture);
    const [before] = await ledger.reviews(fixture.chargeId);
    expect(before).to.include({ status: 'returned' });
    ledger.clock.advance(HOUR);
    await sendAll(fixture);
    expect(await ledger.reviews(fixture.chargeId)).to.deep.equal([before]);
  });

  it('is asked for about the larger of two refunds that came back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    for (const kobo of [300_000, 100_000]) await fixture.runJob(await fixture.requestRefund(kobo));
    fixture.listed = fixture.listed.map((one) => ({ ...one, state: 'failed', status: 'failed' }));
    await fixture.recordListed();
    const [review, ...more] = await ledger.reviews(fixture.chargeId);
    expect(more).to.deep.equal([]);
    expect(review).to.include({ reason: 'refund_reversed', amount_kobo: 300_000 });
  });

  it('is about what was paid at the time of a dispute without an amount', async () => {
    const fixture = await openRefundFixture(ledger);
    for (const step of [pay(300_000), accept, lose, pay(500_000)]) await step(fixture);
    const [review] = await openReviews(fixture);
    expect(review).to.include({ reason: 'extra_capture', amount_kobo: 200_000 });
    const disputes = 'select amount_kobo from disputes where charge_id = $1';
    expect(await ledger.rows(disputes, fixture.chargeId)).to.deep.equal([{ amount_kobo: 300_000 }]);
  });

  for (const [reason, kobo, stated] of [
    ['underpaid', 300_000, {}],
    ['capture_mismatch', 500_000, { currency: 'USD' }],
  ] as const)
    it(`closes the review of a payment that is ${reason}, and does not apply it, once a dispute took it back`, async () => {
      const fixture = await openRefundFixture(ledger);
      await fixture.pay(kobo, stated);
      const refusal = (decision: 'accepted' | 'returned') =>
        fixture.decideReview(decision, reason).catch(({ code }) => code);
      if ('currency' in stated) expect(await refusal('accepted')).to.equal('invalid_state');
      await fixture.dispute('lost');
      expect(await refusal('returned')).to.equal('invalid_state');
      await fixture.decideReview('accepted', reason);
      expect(await ledger.charge(fixture.chargeId)).to.include({
        ...{ status: 'pending', capture_id: null },
      });
      expect(await ledger.events(fixture.chargeId)).to.deep.equal([]);
    });
});
