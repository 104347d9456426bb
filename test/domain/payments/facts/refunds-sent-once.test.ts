import { expect } from 'chai';
import { MINUTE } from '../../../support/clock.ts';
import { useLedger } from '../../ledger.ts';
import {
  answerWith,
  listedRefund,
  noAnswer,
  openRefundFixture,
  type RefundFixture,
  throwing,
} from '../refund-fixture.ts';

const refunded = { status: 'refunded', refunded_kobo: 500_000 };

describe('A refund that may have been sent', () => {
  const ledger = useLedger();

  async function approved(options?: { refundsOnce: boolean }) {
    const fixture = await openRefundFixture(ledger, options);
    await fixture.pay(500_000);
    return { fixture, refund: await fixture.requestRefund() };
  }

  async function unanswered(options?: { refundsOnce: boolean }) {
    const { fixture, refund } = await approved(options);
    fixture.answer = noAnswer;
    await fixture.runJob(refund);
    return { fixture, refund };
  }

  async function returnedExcess() {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(700_000);
    await fixture.decideReview('returned');
    return { fixture, refund: (await fixture.refund()).id };
  }

  /** How the provider lists it from now on. */
  const list = (
    { listed }: RefundFixture,
    refundId: string,
    fields: Partial<Parameters<typeof listedRefund>[0]> = {},
  ) => {
    listed[0] = listedRefund({ providerRefundId: `of-${refundId}`, refundId, ...fields });
  };

  describe('and was given up, and then listed as processing', () => {
    let fixture: RefundFixture;
    let first: string;
    beforeEach(async () => {
      ({ fixture, refund: first } = await unanswered());
      await fixture.runJob(first, 3);
      await fixture.clearUp(first, 'give up');
      fixture.answer = answerWith('completed');
      list(fixture, first, { state: 'processing' });
    });

    it('is not followed by another refund of the same money', async () => {
      await fixture.runJob(await fixture.requestRefund());
      expect(fixture.sent).to.deep.equal([500_000]);
      expect(await fixture.statuses()).to.deep.equal(['reappeared', 'failed']);
    });

    it('is checked to its end, with an event', async () => {
      await fixture.recordListed();
      list(fixture, first);
      await fixture.runJob(first);
      expect(await fixture.statuses()).to.deep.equal(['completed']);
      expect(await ledger.endings(first)).to.deep.equal(['refund.failed', 'refund.completed']);
      expect(await fixture.charge()).to.include(refunded);
    });

    it('reserves its amount until it has failed, with no second event', async () => {
      await fixture.recordListed();
      const refusal = await fixture.requestRefund().catch((error: Error) => error);
      expect(refusal).to.have.property('name', 'Problem');
      list(fixture, first, { state: 'failed' });
      await fixture.runJob(first);
      expect(await ledger.endings(first)).to.deep.equal(['refund.failed']);
      await fixture.runJob(await fixture.requestRefund());
      expect(await fixture.statuses()).to.deep.equal(['failed', 'completed']);
    });
  });

  it('is one refund, though a list without our id recorded it before its own answer came', async () => {
    const { fixture, refund } = await unanswered();
    list(fixture, refund, { refundId: null, state: 'processing' });
    await fixture.recordListed();
    expect(await fixture.statuses()).to.have.members(['processing', 'unconfirmed']);
    list(fixture, refund);
    await fixture.runJob(refund);
    expect(await fixture.statuses()).to.have.members(['cancelled', 'completed']);
    expect(await fixture.charge()).to.include(refunded);
    expect(await ledger.endings(refund)).to.deep.equal(['refund.completed']);
  });

  for (const [state, sent, end] of [
    ['lost', [500_000], 'failed'],
    ['won', [500_000, 500_000], 'completed'],
  ] as const)
    it(`is not sent again while a dispute is open, and ${end} once that is ${state}`, async () => {
      const { fixture, refund } = await unanswered({ refundsOnce: true });
      await fixture.dispute('open');
      await fixture.runJob(refund);
      expect(fixture.sent, 'while it is open').to.deep.equal([500_000]);
      await fixture.dispute(state);
      fixture.answer = answerWith('completed');
      await fixture.runJob(refund);
      expect(fixture.sent).to.deep.equal(sent);
      expect(await fixture.statuses()).to.deep.equal([end]);
    });

  it('is not sent, as a system refund, while a dispute is open or after it is lost', async () => {
    const { fixture, refund } = await returnedExcess();
    await fixture.dispute('open');
    await fixture.runJob(refund);
    expect((await fixture.refund()).attention).to.contain('disputed');
    await fixture.dispute('lost');
    await fixture.runJob(refund);
    expect(fixture.sent).to.deep.equal([]);
    expect(await fixture.statuses()).to.deep.equal(['failed']);
  });

  it('asks a person to look, as a system refund, once it is not known whether it arrived', async () => {
    const { fixture, refund } = await returnedExcess();
    const asked = async () =>
      (await fixture.openReviews()).map(({ reason, amount_kobo: kobo }) => [reason, kobo]);
    fixture.answer = noAnswer;
    await fixture.runJob(refund);
    expect(await asked(), 'while it is looked up').to.deep.equal([]);
    await fixture.runJob(refund, 3);
    expect(await fixture.statuses()).to.deep.equal(['unresolved']);
    expect(await asked()).to.deep.equal([['extra_capture', 200_000]]);
    expect((await fixture.charge()).review).to.deep.equal(['extra_capture']);
    list(fixture, refund, { amountKobo: 200_000 });
    await fixture.runJob(refund);
    expect(await fixture.statuses()).to.deep.equal(['completed']);
    expect((await ledger.reviews(fixture.chargeId)).at(-1)).to.include({ status: 'resolved' });
    expect((await fixture.charge()).review).to.deep.equal([]);
    expect(fixture.sent).to.deep.equal([200_000]);
  });

  it('does not fail by a refusal while the first call may still arrive', async () => {
    const { fixture, refund } = await unanswered({ refundsOnce: true });
    fixture.answer = throwing('refused', 'The refunds of this payment together are more than it.');
    await fixture.runJob(refund);
    expect(await fixture.statuses()).to.deep.equal(['unconfirmed']);
    list(fixture, refund);
    await fixture.runJob(refund);
    expect(await ledger.endings(refund)).to.deep.equal(['refund.completed']);
  });

  it('fails by a refusal once the first call would be listed', async () => {
    const { fixture, refund } = await unanswered({ refundsOnce: true });
    ledger.clock.advance(5 * MINUTE);
    const message = 'The wallet does not hold enough.';
    fixture.answer = throwing('refused', message);
    await fixture.runJob(refund);
    expect(await fixture.refund()).to.include({ status: 'failed', failure_message: message });
  });

  for (const states of [
    ['open', 'lost', 'completed'],
    ['open', 'completed', 'lost'],
  ] as const)
    it(`opens a review when it and a dispute go ${states.join(', ')}`, async () => {
      const { fixture, refund } = await approved();
      fixture.answer = answerWith('processing');
      await fixture.runJob(refund);
      for (const state of states)
        if (state !== 'completed') await fixture.dispute(state);
        else {
          list(fixture, refund);
          await fixture.runJob(refund);
        }
      const detail = 'A lost dispute and refunds together send ₦5,000.00 more back than was paid.';
      const [review, ...more] = await ledger.reviews(fixture.chargeId);
      expect(review).to.include({ reason: 'dispute', detail, amount_kobo: 500_000 });
      expect(more).to.deep.equal([]);
      expect(await fixture.charge()).to.include(refunded);
    });

  it('is not sent again out of the applied payment when a failed one has completed after all', async () => {
    const { fixture, refund } = await returnedExcess();
    fixture.answer = answerWith('failed');
    await fixture.runJob(refund);
    await fixture.decideReview('returned');
    fixture.answer = answerWith('completed');
    list(fixture, refund, { amountKobo: 200_000 });
    await fixture.runJob((await fixture.refunds())[1]!.id);
    expect(fixture.sent).to.deep.equal([200_000]);
    expect(await fixture.statuses()).to.deep.equal(['completed', 'failed']);
    expect(await fixture.openReviews()).to.deep.equal([]);
  });

  it('stays recorded as sent when a stalled worker reports that its call was not sent', async () => {
    const { fixture, refund } = await approved();
    fixture.answer = async () => {
      fixture.answer = noAnswer;
      ledger.clock.advance(MINUTE);
      await fixture.runJob(refund, 4);
      await fixture.clearUp(refund, 'send again');
      await fixture.runJob(refund);
      return throwing('retryable', 'connect ECONNREFUSED')();
    };
    await fixture.runJob(refund);
    expect(fixture.sent).to.have.length(2);
    expect((await fixture.refund()).sent_at).not.to.equal(null);
  });

  it('of the whole charge cancels the other requests, because nothing is left for them', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    await fixture.requestRefund(200_000, { isApproved: false });
    await fixture.listMore([{ providerRefundId: `whole-${fixture.chargeId}` }]);
    expect(await fixture.refund()).to.include({
      ...{ status: 'cancelled', rejection_reason: 'The charge was refunded in full.' },
    });
    expect(await ledger.timeline(fixture.chargeId)).to.include('refund.cancelled');
  });
});
