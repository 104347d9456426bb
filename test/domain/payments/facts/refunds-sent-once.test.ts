import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { MINUTE } from '../../../support/clock.ts';
import { useLedger } from '../../ledger.ts';
import {
  listedRefund,
  noAnswer,
  openRefundFixture,
  type RefundFixture,
} from '../refund-fixture.ts';

describe('A refund that may have been sent', () => {
  const ledger = useLedger();

  const statusesOf = async (fixture: RefundFixture) =>
    (await fixture.refunds()).map(({ status }) => status);
  const refuse = (message: string) => async () => {
    throw new ProviderError('refused', 'refund', message);
  };

  async function approved(options?: { refundsOnce: boolean }) {
    const fixture = await openRefundFixture(ledger, options);
    await fixture.pay(500_000);
    return { fixture, refund: await fixture.requestRefund() };
  }

  async function unanswered(options?: { refundsOnce: boolean }) {
    const { fixture, refund } = await approved(options);
    const { answer } = fixture;
    fixture.answer = noAnswer;
    await fixture.runJob(refund);
    return { fixture, refund, answer };
  }

  async function returnedExcess() {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(700_000);
    await fixture.decideReview('returned');
    return { fixture, refund: (await fixture.refunds())[0]!.id };
  }

  async function givenUp(): Promise<{ fixture: RefundFixture; first: string }> {
    const { fixture, refund: first } = await unanswered();
    for (let check = 0; check < 3; check++) await fixture.runJob(first);
    await fixture.clearUp(first, 'give up');
    fixture.answer = ({ refundId, amountKobo }) =>
      listedRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo });
    fixture.listed.push(
      listedRefund({ providerRefundId: `late-${first}`, refundId: first, state: 'processing' }),
    );
    return { fixture, first };
  }

  describe('and was given up, and then listed as processing', () => {
    it('is not followed by another refund of the same money', async () => {
      const { fixture, first } = await givenUp();
      await fixture.runJob(await fixture.requestRefund());
      expect(fixture.sent).to.deep.equal([500_000]);
      expect(await statusesOf(fixture)).to.deep.equal(['reappeared', 'failed']);
      expect((await fixture.refunds())[0]!.id).to.equal(first);
    });

    it('is checked to its end, with an event', async () => {
      const { fixture, first } = await givenUp();
      await fixture.recordListed();
      fixture.listed[0] = listedRefund({ providerRefundId: `late-${first}`, refundId: first });
      await fixture.runJob(first);
      expect(await statusesOf(fixture)).to.deep.equal(['completed']);
      expect(await ledger.events(first)).to.deep.equal(['refund.failed', 'refund.completed']);
      expect(await ledger.charge(fixture.chargeId)).to.include({
        status: 'refunded',
        refunded_kobo: 500_000,
      });
    });

    it('reserves its amount until it has failed, with no second event', async () => {
      const { fixture, first } = await givenUp();
      await fixture.recordListed();
      expect(
        await fixture.requestRefund().catch((error: Error) => error.constructor.name),
      ).to.equal('Problem');
      fixture.listed[0] = listedRefund({
        providerRefundId: `late-${first}`,
        refundId: first,
        state: 'failed',
      });
      await fixture.runJob(first);
      expect(await ledger.events(first)).to.deep.equal(['refund.failed']);
      expect((await fixture.refunds())[0]).to.include({ status: 'failed', due_at: null });
      await fixture.runJob(await fixture.requestRefund());
      expect(await statusesOf(fixture)).to.deep.equal(['failed', 'completed']);
    });
  });

  it('is one refund, though a list without our id recorded it before its own answer came', async () => {
    const { fixture, refund } = await unanswered();
    fixture.listed.push(
      listedRefund({ providerRefundId: `p-${refund}`, refundId: null, state: 'processing' }),
    );
    await fixture.recordListed();
    expect((await statusesOf(fixture)).sort()).to.deep.equal(['processing', 'unconfirmed']);
    fixture.listed[0] = listedRefund({ providerRefundId: `p-${refund}`, refundId: refund });
    await fixture.runJob(refund);
    expect((await statusesOf(fixture)).sort()).to.deep.equal(['cancelled', 'completed']);
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'refunded',
      refunded_kobo: 500_000,
    });
    expect(await ledger.events(refund)).to.deep.equal(['refund.completed']);
  });

  it('is not sent again once a dispute of the payment is open or lost', async () => {
    const { fixture, refund } = await unanswered({ refundsOnce: true });
    await fixture.dispute('open');
    await fixture.runJob(refund);
    expect(fixture.sent, 'while that is open').to.deep.equal([500_000]);
    await fixture.dispute('lost');
    await fixture.runJob(refund);
    expect(fixture.sent).to.deep.equal([500_000]);
    expect(await statusesOf(fixture)).to.deep.equal(['failed']);
  });

  it('is sent again once the dispute is won', async () => {
    const { fixture, refund, answer } = await unanswered({ refundsOnce: true });
    await fixture.dispute('open');
    await fixture.runJob(refund);
    await fixture.dispute('won');
    fixture.answer = answer;
    await fixture.runJob(refund);
    expect(fixture.sent).to.deep.equal([500_000, 500_000]);
    expect(await statusesOf(fixture)).to.deep.equal(['completed']);
  });

  it('is not sent, as a system refund, while a dispute is open or after it is lost', async () => {
    const { fixture, refund } = await returnedExcess();
    await fixture.dispute('open');
    await fixture.runJob(refund);
    expect((await fixture.refunds())[0]).to.include({ status: 'approved' });
    expect((await fixture.refunds())[0]!.attention).to.contain('disputed');
    await fixture.dispute('lost');
    await fixture.runJob(refund);
    expect(fixture.sent).to.deep.equal([]);
    expect(await statusesOf(fixture)).to.deep.equal(['failed']);
  });

  it('asks a person to look, as a system refund, once it is not known whether it arrived', async () => {
    const { fixture, refund } = await returnedExcess();
    fixture.answer = noAnswer;
    await fixture.runJob(refund);
    const reviews = async () =>
      (await ledger.reviews(fixture.chargeId))
        .filter(({ status }) => status !== 'returned')
        .map(({ reason, status, amount_kobo }) => ({ reason, status, amount_kobo }));
    expect(await reviews(), 'while it is looked up').to.deep.equal([]);
    for (let check = 0; check < 3; check++) await fixture.runJob(refund);
    const asked = { reason: 'extra_capture', amount_kobo: 200_000 };
    expect(await statusesOf(fixture)).to.deep.equal(['unresolved']);
    expect(await reviews()).to.deep.equal([{ ...asked, status: 'open' }]);
    expect((await ledger.charge(fixture.chargeId)).review).to.deep.equal(['extra_capture']);
    fixture.listed.push(
      listedRefund({ providerRefundId: 'late', refundId: refund, amountKobo: 200_000 }),
    );
    await fixture.runJob(refund);
    expect(await statusesOf(fixture)).to.deep.equal(['completed']);
    expect(await reviews()).to.deep.equal([{ ...asked, status: 'resolved' }]);
    expect((await ledger.charge(fixture.chargeId)).review).to.deep.equal([]);
    expect(fixture.sent).to.deep.equal([200_000]);
  });

  it('does not fail by a refusal while the first call may still arrive', async () => {
    const { fixture, refund } = await unanswered({ refundsOnce: true });
    fixture.answer = refuse('The refunds of this payment together are more than it.');
    await fixture.runJob(refund);
    expect(await statusesOf(fixture)).to.deep.equal(['unconfirmed']);
    fixture.listed.push(listedRefund({ providerRefundId: refund, refundId: refund }));
    await fixture.runJob(refund);
    expect(await ledger.events(refund)).to.deep.equal(['refund.completed']);
  });

  it('fails by a refusal once the first call would be listed', async () => {
    const { fixture, refund } = await unanswered({ refundsOnce: true });
    ledger.clock.advance(5 * MINUTE);
    fixture.answer = refuse('The wallet does not hold enough.');
    await fixture.runJob(refund);
    expect((await fixture.refunds())[0]).to.include({
      status: 'failed',
      failure_message: 'The wallet does not hold enough.',
    });
  });

  for (const [when, states] of [
    ['a dispute is lost', ['open', 'lost', 'completed']],
    ['a dispute is open, which is then lost', ['open', 'completed', 'lost']],
  ] as const) {
    it(`opens a review when it completes after ${when}`, async () => {
      const { fixture, refund } = await approved();
      fixture.answer = ({ refundId, amountKobo }) =>
        listedRefund({
          providerRefundId: `of-${refundId}`,
          refundId,
          amountKobo,
          state: 'processing',
        });
      await fixture.runJob(refund);
      for (const state of states) {
        if (state !== 'completed') await fixture.dispute(state);
        else {
          fixture.listed[0] = listedRefund({ providerRefundId: `of-${refund}`, refundId: refund });
          await fixture.runJob(refund);
        }
      }
      const detail = 'A lost dispute and refunds together send ₦5,000.00 more back than was paid.';
      const reviews = await ledger.rows(
        'select reason, detail, amount_kobo from reviews where charge_id = $1',
        fixture.chargeId,
      );
      expect(reviews).to.deep.equal([{ reason: 'dispute', detail, amount_kobo: 500_000 }]);
      expect(await ledger.charge(fixture.chargeId)).to.include({
        status: 'refunded',
        refunded_kobo: 500_000,
      });
    });
  }

  it('asks for attention when the provider’s list of refunds fails for long', async () => {
    const { fixture, refund } = await approved();
    const { list } = fixture;
    fixture.list = async () => {
      throw new ProviderError('unknown', 'refunds', 'the list has more than 50 pages');
    };
    for (let time = 0; time < 5; time++) await fixture.runJob(refund);
    expect((await fixture.refunds())[0]).to.include({ status: 'approved', attention: null });
    await fixture.runJob(refund);
    expect((await fixture.refunds())[0]!.attention).to.contain('the list has more than 50 pages');
    fixture.list = list;
    await fixture.runJob(refund);
    expect((await fixture.refunds())[0]).to.include({ status: 'completed', attention: null });
  });

  it('is not sent again out of the applied payment when a failed one has completed after all', async () => {
    const { fixture, refund } = await returnedExcess();
    const answerWith = (state: 'failed' | 'completed') => {
      fixture.answer = ({ refundId, amountKobo }) =>
        listedRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo, state });
    };
    answerWith('failed');
    await fixture.runJob(refund);
    await fixture.decideReview('returned');
    answerWith('completed');
    fixture.listed[0] = listedRefund({
      providerRefundId: `of-${refund}`,
      refundId: refund,
      amountKobo: 200_000,
    });
    await fixture.runJob((await fixture.refunds())[1]!.id);
    expect(fixture.sent).to.deep.equal([200_000]);
    expect(await statusesOf(fixture)).to.deep.equal(['completed', 'failed']);
    const reviews = await ledger.reviews(fixture.chargeId);
    expect(reviews.filter(({ status }) => status === 'open')).to.deep.equal([]);
  });

  it('stays recorded as sent when a stalled worker reports that its call was not sent', async () => {
    const { fixture, refund } = await approved();
    fixture.answer = async () => {
      fixture.answer = noAnswer;
      ledger.clock.advance(MINUTE);
      for (let check = 0; check < 4; check++) await fixture.runJob(refund);
      await fixture.clearUp(refund, 'send again');
      await fixture.runJob(refund);
      throw new ProviderError('retryable', 'refund', 'connect ECONNREFUSED');
    };
    await fixture.runJob(refund);
    expect(fixture.sent).to.have.length(2);
    expect((await fixture.refunds())[0]!.sent_at).not.to.equal(null);
  });
});
