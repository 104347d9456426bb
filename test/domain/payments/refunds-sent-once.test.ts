import { expect } from 'chai';
import { ProviderError } from '../../../domain/providers/provider.ts';
import { MINUTE } from '../../support/clock.ts';
import { type Ledger, openLedger } from '../ledger.ts';
import { type MoneyBack, moneyBack, noAnswer, shownRefund } from './refund-fixture.ts';

describe('Money that may have gone back', () => {
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger();
  });
  after(() => ledger[Symbol.asyncDispose]());

  const statusesOf = async (its: MoneyBack) => (await its.refunds()).map(({ status }) => status);
  const eventsOf = async (refundId: string) =>
    (await ledger.rows('select type from events where subject_id = $1 order by id', refundId)).map(
      ({ type }) => type,
    );

  /** A refund that a person gave up, and that its provider shows under way afterwards. */
  async function givenUp(): Promise<{ its: MoneyBack; first: string }> {
    const its = await moneyBack(ledger);
    await its.pay(500_000);
    const first = await its.refund();
    its.answer = noAnswer;
    await its.work(first);
    for (let look = 0; look < 3; look++) await its.work(first);
    await its.clearUp(first, 'give up');
    its.answer = ({ refundId, amountKobo }) =>
      shownRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo });
    its.shown.push(
      shownRefund({ providerRefundId: `late-${first}`, refundId: first, state: 'processing' }),
    );
    return { its, first };
  }

  describe('by a refund that was given up, and is shown under way', () => {
    it('is not sent a second time', async () => {
      const { its, first } = await givenUp();
      const second = await its.refund();
      await its.work(second);
      expect(its.sent).to.deep.equal([500_000]);
      expect(await statusesOf(its)).to.deep.equal(['reappeared', 'failed']);
      expect((await its.refunds())[0]!.id).to.equal(first);
    });

    it('is followed to its end, with an event', async () => {
      const { its, first } = await givenUp();
      await its.takeIn();
      its.shown[0] = shownRefund({ providerRefundId: `late-${first}`, refundId: first });
      await its.work(first);
      expect(await statusesOf(its)).to.deep.equal(['completed']);
      expect(await eventsOf(first)).to.deep.equal(['refund.failed', 'refund.completed']);
      expect(await ledger.charge(its.chargeId)).to.include({
        status: 'refunded',
        refunded_kobo: 500_000,
      });
    });

    it('holds its part of the payment no longer than that, and fails with no second event', async () => {
      const { its, first } = await givenUp();
      await its.takeIn();
      expect(await its.refund().catch((error: Error) => error.constructor.name)).to.equal(
        'Problem',
      );
      its.shown[0] = shownRefund({
        providerRefundId: `late-${first}`,
        refundId: first,
        state: 'failed',
      });
      await its.work(first);
      expect(await eventsOf(first)).to.deep.equal(['refund.failed']);
      expect((await its.refunds())[0]).to.include({ status: 'failed', due_at: null });
      await its.work(await its.refund());
      expect(await statusesOf(its)).to.deep.equal(['failed', 'completed']);
    });
  });

  it('is one refund, though a list without our id had it taken in before its own answer came', async () => {
    const its = await moneyBack(ledger);
    await its.pay(500_000);
    const refund = await its.refund();
    its.answer = noAnswer;
    await its.work(refund);
    its.shown.push(
      shownRefund({ providerRefundId: `p-${refund}`, refundId: null, state: 'processing' }),
    );
    await its.takeIn();
    expect((await statusesOf(its)).sort()).to.deep.equal(['processing', 'unconfirmed']);
    its.shown[0] = shownRefund({ providerRefundId: `p-${refund}`, refundId: refund });
    await its.work(refund);
    expect((await statusesOf(its)).sort()).to.deep.equal(['cancelled', 'completed']);
    expect(await ledger.charge(its.chargeId)).to.include({
      status: 'refunded',
      refunded_kobo: 500_000,
    });
    expect(await eventsOf(refund)).to.deep.equal(['refund.completed']);
  });

  it('is not sent again once a bank has taken the payment back', async () => {
    const its = await moneyBack(ledger, { refundsOnce: true });
    await its.pay(500_000);
    const refund = await its.refund();
    its.answer = noAnswer;
    await its.work(refund);
    await its.dispute('open');
    await its.work(refund);
    expect(its.sent, 'while that is open').to.deep.equal([500_000]);
    await its.dispute('lost');
    await its.work(refund);
    expect(its.sent).to.deep.equal([500_000]);
    expect(await statusesOf(its)).to.deep.equal(['failed']);
  });

  it('is sent again where the dispute was won', async () => {
    const its = await moneyBack(ledger, { refundsOnce: true });
    await its.pay(500_000);
    const refund = await its.refund();
    const answer = its.answer;
    its.answer = noAnswer;
    await its.work(refund);
    await its.dispute('open');
    await its.work(refund);
    await its.dispute('won');
    its.answer = answer;
    await its.work(refund);
    expect(its.sent).to.deep.equal([500_000, 500_000]);
    expect(await statusesOf(its)).to.deep.equal(['completed']);
  });

  it('is not sent by a refund of the service’s own either, where a bank decides, or has', async () => {
    const its = await moneyBack(ledger);
    await its.pay(700_000);
    await its.decide('returned');
    const [excess] = await its.refunds();
    await its.dispute('open');
    await its.work(excess!.id);
    expect((await its.refunds())[0]).to.include({ status: 'approved' });
    expect((await its.refunds())[0]!.attention).to.contain('disputed');
    await its.dispute('lost');
    await its.work(excess!.id);
    expect(its.sent).to.deep.equal([]);
    expect(await statusesOf(its)).to.deep.equal(['failed']);
  });

  it('is not believed to be refused while the first sending may be on its way', async () => {
    const its = await moneyBack(ledger, { refundsOnce: true });
    await its.pay(500_000);
    const refund = await its.refund();
    its.answer = noAnswer;
    await its.work(refund);
    its.answer = async () => {
      throw new ProviderError(
        'refused',
        'refund',
        'The refunds of this payment together are more than it.',
      );
    };
    await its.work(refund);
    expect(await statusesOf(its)).to.deep.equal(['unconfirmed']);
    its.shown.push(shownRefund({ providerRefundId: refund, refundId: refund }));
    await its.work(refund);
    expect(await eventsOf(refund)).to.deep.equal(['refund.completed']);
  });

  it('is refused once that would show', async () => {
    const its = await moneyBack(ledger, { refundsOnce: true });
    await its.pay(500_000);
    const refund = await its.refund();
    its.answer = noAnswer;
    await its.work(refund);
    ledger.clock.advance(5 * MINUTE);
    its.answer = async () => {
      throw new ProviderError('refused', 'refund', 'The wallet does not hold enough.');
    };
    await its.work(refund);
    expect((await its.refunds())[0]).to.include({
      status: 'failed',
      failure_message: 'The wallet does not hold enough.',
    });
  });

  for (const [when, states] of [
    ['a dispute was lost', ['open', 'lost', 'completed']],
    ['a dispute was open, which is lost then', ['open', 'completed', 'lost']],
  ] as const) {
    it(`is shown to a person where it completes after ${when}`, async () => {
      const its = await moneyBack(ledger);
      await its.pay(500_000);
      const refund = await its.refund();
      its.answer = ({ refundId, amountKobo }) =>
        shownRefund({
          providerRefundId: `of-${refundId}`,
          refundId,
          amountKobo,
          state: 'processing',
        });
      await its.work(refund);
      for (const state of states) {
        if (state !== 'completed') await its.dispute(state);
        else {
          its.shown[0] = shownRefund({ providerRefundId: `of-${refund}`, refundId: refund });
          await its.work(refund);
        }
      }
      const detail = 'A lost dispute and refunds together send ₦5,000.00 more back than was paid.';
      const reviews = await ledger.rows(
        'select reason, detail, amount_kobo from reviews where charge_id = $1',
        its.chargeId,
      );
      expect(reviews).to.deep.equal([{ reason: 'dispute', detail, amount_kobo: 500_000 }]);
      expect(await ledger.charge(its.chargeId)).to.include({
        status: 'refunded',
        refunded_kobo: 500_000,
      });
    });
  }

  it('is shown to a person where the provider does not say for long what went back', async () => {
    const its = await moneyBack(ledger);
    await its.pay(500_000);
    const refund = await its.refund();
    const { list } = its;
    its.list = async () => {
      throw new ProviderError('unknown', 'refunds', 'the list has more than 50 pages');
    };
    for (let time = 0; time < 5; time++) await its.work(refund);
    expect((await its.refunds())[0]).to.include({ status: 'approved', attention: null });
    await its.work(refund);
    expect((await its.refunds())[0]!.attention).to.contain('the list has more than 50 pages');
    its.list = list;
    await its.work(refund);
    expect((await its.refunds())[0]).to.include({ status: 'completed', attention: null });
  });

  it('is not sent once more out of the charge’s own money, where what failed went through after all', async () => {
    const its = await moneyBack(ledger);
    await its.pay(700_000);
    await its.decide('returned');
    const answerWith = (state: 'failed' | 'completed') => {
      its.answer = ({ refundId, amountKobo }) =>
        shownRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo, state });
    };
    answerWith('failed');
    const [first] = await its.refunds();
    await its.work(first!.id);
    await its.decide('returned');
    answerWith('completed');
    its.shown[0] = shownRefund({
      providerRefundId: `of-${first!.id}`,
      refundId: first!.id,
      amountKobo: 200_000,
    });
    await its.work((await its.refunds())[1]!.id);
    expect(its.sent).to.deep.equal([200_000]);
    expect(await statusesOf(its)).to.deep.equal(['completed', 'failed']);
    const open = await ledger.rows(
      `select 1 from reviews where charge_id = $1 and status = 'open'`,
      its.chargeId,
    );
    expect(open, 'nothing is left to decide').to.deep.equal([]);
  });

  it('stays written down where a worker that stood still for long says that it was not sent', async () => {
    const its = await moneyBack(ledger);
    await its.pay(500_000);
    const refund = await its.refund();
    its.answer = async () => {
      its.answer = noAnswer;
      ledger.clock.advance(MINUTE);
      for (let look = 0; look < 4; look++) await its.work(refund);
      await its.clearUp(refund, 'send again');
      await its.work(refund);
      throw new ProviderError('retryable', 'refund', 'connect ECONNREFUSED');
    };
    await its.work(refund);
    expect(its.sent).to.have.length(2);
    expect((await its.refunds())[0]!.sent_at).not.to.equal(null);
  });
});
