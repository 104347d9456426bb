import { expect } from 'chai';
import type { AttemptFact } from '../../../../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../../domain/payments/facts/record-listed-refunds.ts';
import { recordReversal } from '../../../../domain/payments/facts/record-reversal.ts';
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
    connectionId: attempt.connection_id,
    providerPaymentId: `pay-${attempt.reference}`,
  });
  const pay = (overrides = {}) => recordNotice(ledger, attempt.id, paid(attempt, overrides));
  const capturesIn = (fact: AttemptFact) =>
    fact.type === 'verified' ? fact.verification.captures : [];
  const reverse = () => ledger.tx((tx) => recordReversal(tx, payment(), '{"status":"reversed"}'));
  const list = (fields: Partial<Parameters<typeof listedRefund>[0]> = {}) =>
    ledger.tx((tx) =>
      recordListedRefunds(tx, payment(), [
        listedRefund({ providerRefundId: `rf-${id}`, ...fields }),
      ]),
    );
  const loseDispute = (amountKobo: number | null) =>
    ledger.tx((tx) =>
      recordDispute(tx, attempt.connection_id, {
        ...{ providerDisputeId: `d-${id}`, providerPaymentId: payment().providerPaymentId },
        ...{ state: 'lost', status: 'lost', amountKobo, raw: '"lost"' },
      }),
    );
  const refunds = async () =>
    (
      await ledger.rows(
        `select origin, status, amount_kobo, provider_refund_id is not null as listed
         from refunds where charge_id = $1 order by id`,
        id,
      )
    ).map(({ origin, status, amount_kobo: kobo, listed }) =>
      [origin, status, kobo, ...(listed ? ['listed'] : [])].join(' '),
    );
  const events = async () =>
    (
      await ledger.rows(
        `select type from events where subject_id = $1
           or subject_id in (select id from refunds where charge_id = $1) order by id`,
        id,
      )
    ).map(({ type }) => type);
  const reviews = async () =>
    (
      await ledger.rows(`select reason, status from reviews where charge_id = $1 order by id`, id)
    ).map(({ reason, status }) => `${reason} ${status}`);
  const expectRefunded = async (refundedKobo = 500_000) =>
    expect(await ledger.charge(id)).to.include({ status: 'refunded', refunded_kobo: refundedKobo });

  it('recorded twice is one refund and one event', async () => {
    await pay();
    await reverse();
    await reverse();
    await expectRefunded();
    expect(await refunds()).to.deep.equal(['provider completed 500000']);
    expect(await events()).to.deep.equal(['charge.succeeded', 'refund.completed']);
    const [line] = await ledger.rows(
      `select evidence_sha256 from timeline_entries where charge_id = $1 and what = 'refund.completed'`,
      id,
    );
    expect(line.evidence_sha256, 'its evidence').to.have.length(64);
  });

  it('and then the refund behind it is listed: it is the same refund, with no second event', async () => {
    await pay();
    await reverse();
    await list();
    expect(await refunds()).to.deep.equal(['provider completed 500000 listed']);
    expect(await events()).to.deep.equal(['charge.succeeded', 'refund.completed']);
  });

  it('and then a part of it is listed as a refund: the reversal is what is left', async () => {
    await pay();
    await reverse();
    await list({ amountKobo: 200_000 });
    expect(await refunds()).to.have.members([
      'provider completed 300000',
      'provider completed 200000 listed',
    ]);
    await expectRefunded();
  });

  it('and then its dispute is reported as lost: the money went back once, and nobody is asked', async () => {
    await pay();
    await reverse();
    await loseDispute(null);
    expect(await refunds()).to.deep.equal(['provider cancelled 500000']);
    await expectRefunded();
    const asked = (await reviews()).filter((review) => review.endsWith('open'));
    expect(asked).to.deep.equal([]);
  });

  it('after a lost dispute of ₦2,000 is of the other ₦3,000', async () => {
    await pay();
    await loseDispute(200_000);
    await reverse();
    expect(await refunds()).to.deep.equal(['provider completed 300000']);
    await expectRefunded();
  });

  it('of ₦6,000 where ₦5,000 were asked resolves the review of the excess', async () => {
    await pay({ amountKobo: 600_000 });
    await reverse();
    await expectRefunded();
    expect(await refunds()).to.deep.equal(['provider completed 600000']);
    expect(await reviews()).to.deep.equal(['overpaid resolved']);
  });

  it('of ₦3,000 that waited for a person leaves the charge to be paid, with no event', async () => {
    await pay({ amountKobo: 300_000 });
    await reverse();
    expect(await ledger.charge(id)).to.include({ status: 'pending', refunded_kobo: 0 });
    expect(await reviews()).to.deep.equal(['underpaid resolved']);
    const [capture] = await ledger.rows('select status from captures where charge_id = $1', id);
    expect(capture.status).to.equal('duplicate');
    expect(await events()).to.deep.equal([]);
  });

  it('of a payment with a fee that its payer bore, on hold, is of all that they paid', async () => {
    await pay({ amountKobo: 300_000, payerFeeKobo: 4_500 });
    await reverse();
    expect(await refunds()).to.deep.equal(['provider completed 304500']);
  });

  it('and then a second payment, both first heard of together: the second pays the charge', async () => {
    const [first, second] = [{ isReversed: true }, { providerPaymentId: `second-${id}` }].flatMap(
      (fields) => capturesIn(paid(attempt, fields)),
    );
    const captures = [first!, second!];
    await recordNotice(ledger, attempt.id, verification('paid', { captures, hasRefunds: true }));
    await reverse();
    expect(await ledger.charge(id)).to.include({ status: 'succeeded', refunded_kobo: 0 });
    expect(await refunds()).to.deep.equal(['provider completed 500000']);
    expect(await events()).to.deep.equal(['charge.succeeded']);
  });

  it('while a refund is under way that then fails has the provider asked again', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    const refundId = await fixture.requestRefund();
    fixture.answer = noAnswer;
    await fixture.runJob(refundId);
    [attempt] = (await ledger.attempts(fixture.chargeId)) as [AttemptRow];
    await reverse();
    fixture.listed.push(
      listedRefund({ providerRefundId: 'late', refundId, amountKobo: 500_000, state: 'failed' }),
    );
    await fixture.recordListed();
    const [asked] = await ledger.attempts(fixture.chargeId);
    expect(asked!.due_at).to.be.a('date').that.is.at.most(ledger.clock());
  });

  it('of a payment that is not on record writes nothing', async () => {
    await reverse();
    expect(await refunds()).to.deep.equal([]);
  });
});
