import { expect } from 'chai';
import type { AttemptFact } from '../../../../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../../domain/payments/facts/record-listed-refunds.ts';
import { recordReversal } from '../../../../domain/payments/facts/record-reversal.ts';
import type { ProviderCapture } from '../../../../domain/providers/port/payment.ts';
import { useLedger } from '../../ledger.ts';
import { openCharge, paid, recordNotice, verification } from '../../notices.ts';
import { listedRefund, noAnswer, openRefundFixture } from '../refund-fixture.ts';

describe('A reversal of a payment of ₦5,000', () => {
  const ledger = useLedger();
  let id: string;
  let attempt: AttemptRow;
  beforeEach(async () => {
    ({ id, attempt } = await openCharge(ledger));
  });

  const payment = () => ({
    ...{ connectionId: attempt.connection_id, providerPaymentId: `pay-${attempt.reference}` },
  });
  const reverse = () => ledger.tx((tx) => recordReversal(tx, payment(), '{"status":"reversed"}'));
  const pay = (stated: Partial<ProviderCapture> = {}) =>
    recordNotice(ledger, attempt.id, paid(attempt, stated));
  const list = (amountKobo: number) =>
    ledger.tx((tx) =>
      recordListedRefunds(tx, payment(), [
        listedRefund({ providerRefundId: `rf-${id}`, amountKobo }),
      ]),
    );
  const loseDispute = (amountKobo: number | null) =>
    ledger.tx((tx) =>
      recordDispute(tx, attempt.connection_id, {
        ...{ providerDisputeId: `d-${id}`, providerPaymentId: payment().providerPaymentId },
        ...{ state: 'lost', status: 'lost', amountKobo, raw: '"lost"' },
      }),
    );
  /** Both payments are first heard of together. */
  const payAgain = () => {
    const [first, second] = [{ isReversed: true }, { providerPaymentId: `second-${id}` }].map(
      (stated) => (paid(attempt, stated) as Verified).verification.captures[0]!,
    );
    const captures = [first!, second!];
    return recordNotice(ledger, attempt.id, verification('paid', { captures, hasRefunds: true }));
  };
  type Verified = Extract<AttemptFact, { type: 'verified' }>;
  const column = async (select: string) =>
    (await ledger.rows(`${select} order by id`, id)).map(({ said }) => said);
  const refunds = () =>
    column(`select concat_ws(' ', origin, status, amount_kobo,
      case when provider_refund_id is not null then 'listed' end) as said
      from refunds where charge_id = $1`);
  const reviews = () =>
    column(`select reason || ' ' || status as said from reviews where charge_id = $1`);
  const events = () =>
    column(`select type as said from events where subject_id = $1
      or subject_id in (select id from refunds where charge_id = $1)`);

  const refunded = { status: 'refunded', refunded_kobo: 500_000 };
  const told = ['charge.succeeded', 'refund.completed'];
  const stories: Record<
    string,
    {
      steps: (() => Promise<unknown>)[];
      refunds: string[];
      charge?: object;
      events?: string[];
      reviews?: string[];
    }
  > = {
    'recorded twice is one refund and one event': {
      ...{ steps: [pay, reverse, reverse], refunds: ['provider completed 500000'] },
      ...{ charge: refunded, events: told },
    },
    'and then the refund behind it is listed: it is the same refund, with no second event': {
      steps: [pay, reverse, () => list(500_000)],
      ...{ refunds: ['provider completed 500000 listed'], events: told },
    },
    'and then a part of it is listed as a refund: the reversal is what is left': {
      steps: [pay, reverse, () => list(200_000)],
      refunds: ['provider completed 300000', 'provider completed 200000 listed'],
      charge: refunded,
    },
    'and then its dispute is reported as lost: the money went back once, and nobody is asked': {
      steps: [pay, reverse, () => loseDispute(null)],
      ...{ refunds: ['provider cancelled 500000'], charge: refunded },
    },
    'after a lost dispute of ₦2,000 is of the other ₦3,000': {
      steps: [pay, () => loseDispute(200_000), reverse],
      ...{ refunds: ['provider completed 300000'], charge: refunded },
    },
    'of ₦6,000 where ₦5,000 were asked resolves the review of the excess': {
      steps: [() => pay({ amountKobo: 600_000 }), reverse],
      ...{ refunds: ['provider completed 600000'], charge: refunded },
      reviews: ['overpaid resolved'],
    },
    'of ₦3,000 that waited for a person leaves the charge to be paid, with no event': {
      steps: [() => pay({ amountKobo: 300_000 }), reverse],
      ...{ refunds: ['provider completed 300000'], events: [], reviews: ['underpaid resolved'] },
      charge: { status: 'pending', refunded_kobo: 0 },
    },
    'of a payment with a fee that its payer bore, on hold, is of all that they paid': {
      steps: [() => pay({ amountKobo: 300_000, payerFeeKobo: 4_500 }), reverse],
      ...{ refunds: ['provider completed 304500'], reviews: ['underpaid resolved'] },
    },
    'and then a second payment, both first heard of together: the second pays the charge': {
      steps: [payAgain, reverse],
      ...{ refunds: ['provider completed 500000'], events: ['charge.succeeded'] },
      charge: { status: 'succeeded', refunded_kobo: 0 },
    },
    'of a payment that is not on record writes nothing': { steps: [reverse], refunds: [] },
  };
  for (const [title, story] of Object.entries(stories))
    it(title, async () => {
      for (const step of story.steps) await step();
      expect(await refunds()).to.have.members(story.refunds);
      expect(await ledger.charge(id)).to.include(story.charge ?? {});
      if (story.events) expect(await events()).to.deep.equal(story.events);
      expect(await reviews()).to.deep.equal(story.reviews ?? []);
    });

  it('has its evidence on the timeline', async () => {
    for (const step of [pay, reverse]) await step();
    const [line] = await ledger.rows(
      `select evidence_sha256 from timeline_entries where charge_id = $1 and what = 'refund.completed'`,
      id,
    );
    expect(line.evidence_sha256).to.have.length(64);
  });

  it('while a refund is under way that then fails has the provider asked again', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    const refundId = await fixture.requestRefund();
    fixture.answer = noAnswer;
    await fixture.runJob(refundId);
    [attempt] = (await ledger.attempts(fixture.chargeId)) as [AttemptRow];
    await reverse();
    await fixture.listMore([{ providerRefundId: 'late', refundId, state: 'failed' }]);
    const [asked] = await ledger.attempts(fixture.chargeId);
    expect(asked!.due_at).to.be.a('date').that.is.at.most(ledger.clock());
  });
});
