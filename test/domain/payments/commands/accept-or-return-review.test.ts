import { expect } from 'chai';
import type { ProviderCapture } from '../../../../domain/providers/port/payment.ts';
import { HOUR } from '../../../support/clock.ts';
import { useLedger } from '../../ledger.ts';
import { listedRefund, openRefundFixture, type RefundFixture } from '../refund-fixture.ts';

describe('Money of a charge of ₦5,000', () => {
  const ledger = useLedger();

  type Step = (fixture: RefundFixture) => Promise<unknown>;
  const pay =
    (kobo: number, stated: Partial<ProviderCapture> = {}): Step =>
    (fixture) =>
      fixture.pay(kobo, stated);
  const secondOf = ({ chargeId }: RefundFixture) => `second of ${chargeId}`;
  const second =
    (kobo = 500_000, stated: Partial<ProviderCapture> = {}): Step =>
    (fixture) =>
      fixture.pay(kobo, { providerPaymentId: secondOf(fixture), ...stated });
  const accept: Step = ({ decideReview }) => decideReview('accepted');
  const giveBack: Step = ({ decideReview }) => decideReview('returned');
  const lose: Step = ({ dispute }) => dispute('lost');
  const refund: Step = async (fixture) => fixture.runJob(await fixture.requestRefund());
  const sendAll: Step = ({ sendAll }) => sendAll();
  /** Its provider lists a refund made in the dashboard; with each one, those listed before. */
  const list =
    (amountKobo: number, state: 'completed' | 'processing' | 'failed' = 'completed'): Step =>
    (fixture) => {
      const providerRefundId = `${fixture.chargeId} ${fixture.listed.length}`;
      return fixture.listMore([{ providerRefundId, amountKobo, state }]);
    };
  const listOfSecond =
    (amountKobo: number, state: 'completed' | 'processing' | 'failed'): Step =>
    async (fixture) => {
      const providerRefundId = `of ${secondOf(fixture)}`;
      fixture.listed = [listedRefund({ providerRefundId, amountKobo, state })];
      await fixture.recordListed(secondOf(fixture));
      fixture.listed = [];
    };
  const feeLater = { payableKobo: 507_500 };
  const unrefunded = { status: 'succeeded', refunded_kobo: 0 };

  /**
   * Every amount is another one, so that one taken for another shows. `sent`: what left, in kobo.
   * No review is open in the end.
   */
  const stories: Record<string, { steps: Step[]; sent: number[]; charge?: object }> = {
    'returns the excess that was paid after an earlier excess was returned': {
      steps: [pay(700_000), giveBack, sendAll, pay(900_000), giveBack],
      sent: [200_000, 200_000],
      charge: unrefunded,
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
      steps: [pay(300_000), list(100_000), giveBack],
      sent: [200_000],
    },
    'accepts an underpayment with the part that was refunded': {
      steps: [pay(300_000), list(100_000), accept],
      sent: [],
      charge: { status: 'succeeded', refunded_kobo: 100_000 },
    },
    'needs no decision once the rest is paid: the charge counts the earlier refund': {
      steps: [pay(300_000), list(100_000), pay(500_000)],
      sent: [],
      charge: { status: 'succeeded', refunded_kobo: 100_000 },
    },
    'returns a later top-up of ₦2,000 after a dispute without an amount was lost': {
      steps: [pay(300_000), accept, lose, pay(500_000), giveBack],
      sent: [200_000],
    },
    'that was too little goes back with the fee that its payer bore': {
      steps: [pay(300_000, { payerFeeKobo: 4_500 }), giveBack],
      sent: [304_500],
    },
    'that was too much goes back without the fee that its payer bore: the rest paid the charge': {
      steps: [
        ...[pay(620_000, { payerFeeKobo: 9_300 }), giveBack, sendAll],
        ...[list(40_000, 'processing'), list(30_000)],
      ],
      sent: [120_000],
      charge: { status: 'succeeded', refunded_kobo: 30_000 },
    },
    'is not refunded by a refund of nothing that its provider lists': {
      steps: [pay(500_000), list(0)],
      sent: [],
      charge: unrefunded,
    },
    'that was paid twice goes back with its fee, and nothing of the charge counts as refunded': {
      steps: [pay(500_000), second(500_000, { payerFeeKobo: 7_500 })],
      sent: [507_500],
      charge: unrefunded,
    },
    'that was paid twice is asked about where a refund of the second at the provider fails': {
      steps: [
        ...[pay(500_000), second(), listOfSecond(500_000, 'processing'), sendAll],
        ...[listOfSecond(500_000, 'failed'), giveBack],
      ],
      sent: [500_000],
    },
    'that was paid twice goes back once, though the fee in it turns out not to be the payer’s': {
      steps: [
        ...[pay(500_000), second(507_500, { ...feeLater, feeKobo: null })],
        ...[second(507_500, { ...feeLater, feeKobo: 4_000 }), sendAll],
        ...[second(509_000, { ...feeLater, feeKobo: 4_000 }), giveBack],
      ],
      sent: [507_500, 1_500],
    },
    'stays refundable in full beside a refund that was tried at the provider and failed': {
      steps: [pay(500_000), list(210_000, 'failed'), list(0), refund],
      sent: [500_000],
      charge: { status: 'refunded' },
    },
  };
  for (const [title, { steps, sent, charge = {} }] of Object.entries(stories))
    it(title, async () => {
      const fixture = await openRefundFixture(ledger);
      for (const step of [...steps, sendAll]) await step(fixture);
      expect(fixture.sent).to.deep.equal(sent);
      expect(await fixture.charge()).to.include(charge);
      expect(await fixture.openReviews()).to.deep.equal([]);
    });

  it('is told from a second payment of it, part of which was refunded at the provider', async () => {
    const fixture = await openRefundFixture(ledger);
    for (const step of [pay(500_000), second(), listOfSecond(130_000, 'completed'), list(20_000)])
      await step(fixture);
    expect(await fixture.charge()).to.include({ status: 'succeeded', refunded_kobo: 20_000 });
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

  it('is asked about by the larger of two refunds that came back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    for (const kobo of [300_000, 100_000]) await fixture.runJob(await fixture.requestRefund(kobo));
    fixture.listed = fixture.listed.map((one) => ({ ...one, state: 'failed', status: 'failed' }));
    await fixture.recordListed();
    const [review, ...more] = await ledger.reviews(fixture.chargeId);
    expect(more).to.deep.equal([]);
    expect(review).to.include({ reason: 'refund_reversed', amount_kobo: 300_000 });
  });

  it('is asked about with what was paid at the time of a dispute without an amount', async () => {
    const fixture = await openRefundFixture(ledger);
    for (const step of [pay(300_000), accept, lose, pay(500_000)]) await step(fixture);
    const [review] = await fixture.openReviews();
    expect(review).to.include({ reason: 'extra_capture', amount_kobo: 200_000 });
    const disputes = 'select amount_kobo from disputes where charge_id = $1';
    expect(await ledger.rows(disputes, fixture.chargeId)).to.deep.equal([{ amount_kobo: 300_000 }]);
  });

  for (const [reason, kobo, stated] of [
    ['underpaid', 300_000, {}],
    ['capture_mismatch', 500_000, { currency: 'USD' }],
  ] as const)
    it(`that is ${reason} is closed, and not applied, once a dispute took it back`, async () => {
      const fixture = await openRefundFixture(ledger);
      await fixture.pay(kobo, stated);
      const refusal = (decision: 'accepted' | 'returned') =>
        fixture.decideReview(decision, reason).catch(({ code }) => code);
      if ('currency' in stated) expect(await refusal('accepted')).to.equal('invalid_state');
      await fixture.dispute('lost');
      expect(await refusal('returned')).to.equal('invalid_state');
      await fixture.decideReview('accepted', reason);
      expect(await fixture.charge()).to.include({ status: 'pending', capture_id: null });
      expect(await ledger.events(fixture.chargeId)).to.deep.equal([]);
    });
});
