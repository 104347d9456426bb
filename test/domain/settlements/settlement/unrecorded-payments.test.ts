import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { accept, openDiscrepancies, paidOut, withSettlementFixture } from './with-fixture.ts';

const unknownPayment = {
  providerPaymentId: 'unknownPayment',
  reference: 'SV-900000001-zzzzzzzz',
  amountKobo: 80_000,
  feeKobo: 1_200,
};

describe('A line of a payment that is not on record', () => {
  const opened = withSettlementFixture();

  it('is a never_notified discrepancy, has its attempt checked now, and settles its charge once the payment is recorded', async () => {
    const { fixture, ledger, passDays } = opened();
    const [unrecorded, known] = [await fixture.pay({ isRecorded: false }), await fixture.pay()];
    passDays(1);
    fixture.payOut([unrecorded, known]);
    await ledger.rows('update attempts set due_at = null');
    await fixture.reconcile();
    const [short] = await paidOut(fixture);
    expect(short).to.include({
      status: 'landed',
      transaction_count: 1,
      expected_amount_kobo: 482_500,
      landed_amount_kobo: 965_000,
    });
    const [found] = await fixture.discrepancies();
    const amounts = { amount_kobo: 500_000, difference_kobo: -482_500 };
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: short.id,
      charge_id: unrecorded.chargeId,
      ...amounts,
    });
    const due = await ledger.rows('select id from attempts where due_at is not null');
    expect(due).to.deep.equal([{ id: unrecorded.attempt.id }]);
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      transaction_count: 2,
      expected_amount_kobo: 965_000,
    });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([
      found!.id,
    ]);
    expect(
      await ledger.rows(`select 1 from events where type = 'settlement.landed'`),
    ).to.have.length(1);
  });

  it('before the payment writes nothing to its charge; the payment is learned later, then it settles', async () => {
    const { fixture, ledger, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    const unpaid = await fixture.charge(unrecorded);
    passDays(1);
    const { landedAt } = fixture.payOut([unrecorded]);
    for (let run = 0; run < 2; run++) await fixture.reconcile();
    const before = await fixture.charge(unrecorded);
    expect(before).to.include({
      ...{ status: 'pending', capture_id: null, settled_at: null, settlement_id: null },
      fee_kobo: unpaid.fee_kobo,
    });
    await fixture.verify(unrecorded);
    expect(await fixture.charge(unrecorded)).to.include({ status: 'succeeded', settled_at: null });
    await fixture.reconcile();
    const [settlement] = await paidOut(fixture);
    const charge = await fixture.charge(unrecorded);
    expect(charge).to.include({
      status: 'settled',
      settlement_id: settlement.id,
      fee_kobo: 17_500,
    });
    expect(charge.settled_at).to.deep.equal(landedAt);
    const entries = await ledger.rows(
      `select what from timeline_entries where charge_id = $1 and what like '%settle%'`,
      unrecorded.chargeId,
    );
    expect(entries).to.deep.equal([{ what: 'charge.settled' }]);
  });

  it('is on record as a discrepancy however soon its attempt is checked', async () => {
    const { fixture, ledger, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    passDays(1);
    fixture.payOut([unrecorded]);
    await ledger.rows('update attempts set due_at = null');
    const { inTx } = fixture.context;
    fixture.context.inTx = async (work) => {
      const queues = new Set<string>();
      const result = await inTx((tx) =>
        work({ ...tx, enqueue: (...jobs) => jobs.forEach(({ queue }) => void queues.add(queue)) }),
      );
      if (queues.has('charge-check')) await fixture.verify(unrecorded);
      return result;
    };
    for (let run = 0; run < 2; run++) await fixture.reconcile();
    expect(await fixture.charge(unrecorded)).to.include({ status: 'settled' });
    expect((await fixture.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
  });

  it('stays a discrepancy where no attempt has its reference', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment, unknownPayment]);
    for (let day = 0; day < 3; day++) await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['never_notified', -78_800]]);
    expect((await fixture.discrepancies())[0]).to.include({
      charge_id: null,
      reference: unknownPayment.reference,
    });
    expect((await paidOut(fixture))[0]).to.include({ foreign_count: 0, transaction_count: 1 });
  });

  it('in two settlements belongs to the first, and is paid out again by the second', async () => {
    const { fixture, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    passDays(1);
    fixture.payOut([unrecorded]);
    fixture.payOut([unrecorded]);
    for (let run = 0; run < 2; run++) {
      await fixture.reconcile();
      expect(await openDiscrepancies(fixture)).to.deep.equal([
        ['amount_mismatch', -482_500],
        ['never_notified', -482_500],
      ]);
    }
    const [first, second] = await paidOut(fixture);
    expect(
      (await fixture.discrepancies())
        .map(({ kind, settlement_id }) => [kind, settlement_id])
        .sort(),
    ).to.deep.equal([
      ['amount_mismatch', second.id],
      ['never_notified', first.id],
    ]);
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['amount_mismatch', -482_500]]);
    expect(await fixture.charge(unrecorded)).to.include({ settlement_id: first.id });
    expect(
      (await paidOut(fixture)).map(({ transaction_count }) => transaction_count),
    ).to.deep.equal([1, 0]);
  });

  it('is matched once its payment is recorded, however many other lines have no payment', async () => {
    const { fixture, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    passDays(1);
    fixture.linesPerPage = 1_000;
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    const unknownPayments = Array.from({ length: 600 }, (_, n) => ({
      ...unknownPayment,
      providerPaymentId: `s-${n}`,
      reference: `SV-${800_000 + n}-zzzzzzzz`,
    }));
    fixture.payOut(unknownPayments);
    await fixture.reconcile();
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      transaction_count: 1,
      expected_amount_kobo: 482_500,
    });
    expect((await fixture.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
  });

  it('is recorded as paid and then missing, where its settlement failed meanwhile', async () => {
    const { fixture, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    passDays(1);
    const payout = fixture.payOut([unrecorded]);
    await fixture.reconcile();
    Object.assign(payout, { state: 'failed' });
    await fixture.reconcile();
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({ status: 'failed', landed_amount_kobo: 0 });
    passDays(5);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['missing', 482_500]]);
  });
});

describe('A line of a charge that is not simply paid', () => {
  const opened = withSettlementFixture();

  it('does not settle a failed charge before its late payment is recorded', async () => {
    const { fixture, ledger, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    await ledger.rows(
      `update charges set status = 'failed', failed_at = now() where id = $1`,
      unrecorded.chargeId,
    );
    passDays(1);
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    expect(await fixture.charge(unrecorded)).to.include({ status: 'failed', settled_at: null });
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect(await fixture.charge(unrecorded)).to.include({ status: 'settled' });
  });

  for (const status of ['refunded', 'disputed']) {
    it(`${status}: is recorded, and leaves the status alone`, async () => {
      const { fixture, ledger, passDays } = opened();
      const payment = await fixture.pay();
      await ledger.rows('update charges set status = $2 where id = $1', payment.chargeId, status);
      passDays(1);
      fixture.payOut([payment]);
      await fixture.reconcile();
      const [settlement] = await paidOut(fixture);
      expect(await fixture.charge(payment)).to.include({ status, settlement_id: settlement.id });
      expect(settlement).to.include({ status: 'landed', transaction_count: 1 });
    });
  }

  it('of a payment on hold settles its charge once a person accepts it', async () => {
    const { fixture, passDays } = opened();
    const held = await fixture.pay({ amountKobo: 300_000, feeKobo: 4_500 });
    passDays(1);
    fixture.payOut([held]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      gross_kobo: 300_000,
      transaction_count: 1,
    });
    expect(await fixture.charge(held)).to.include({ status: 'pending', settlement_id: null });
    await accept(opened(), held.chargeId);
    expect((await fixture.charge(held)).status).to.equal('succeeded');
    await fixture.reconcile();
    expect(await fixture.charge(held)).to.include({ status: 'settled', fee_kobo: 4_500 });
  });

  it('of a duplicate payment does not settle the charge; the line of its own payment does', async () => {
    const { fixture, passDays } = opened();
    const own = await fixture.pay();
    const extra = { ...own, capture: { ...own.capture, providerPaymentId: 'second' } };
    fixture.payments.push(extra.capture);
    await fixture.verify(extra);
    passDays(1);
    fixture.payOut([extra]);
    await fixture.reconcile();
    expect(await fixture.charge(own), 'the other is not its own').to.include({
      status: 'succeeded',
      settlement_id: null,
    });
    fixture.payOut([own]);
    await fixture.reconcile();
    expect(await fixture.charge(own)).to.include({ status: 'settled' });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(
      (await paidOut(fixture)).map(({ transaction_count }) => transaction_count),
    ).to.deep.equal([1, 1]);
  });

  it('is on the timeline of its charge once', async () => {
    const { fixture, ledger, passDays } = opened();
    const [paid, refunded] = [await fixture.pay(), await fixture.pay()];
    await ledger.rows(`update charges set status = 'refunded' where id = $1`, refunded.chargeId);
    passDays(1);
    fixture.payOut([paid, lineOf(refunded)]);
    for (let run = 0; run < 2; run++) await fixture.reconcile();
    const linesOf = async (id: string) =>
      (
        await ledger.rows(
          'select what from timeline_entries where charge_id = $1 order by position',
          id,
        )
      ).map(({ what }) => what);
    expect((await linesOf(paid.chargeId)).filter((what) => /settle/.test(what))).to.deep.equal([
      'charge.settled',
    ]);
    expect((await linesOf(refunded.chargeId)).filter((what) => /settle/.test(what))).to.deep.equal([
      'charge.settlement_line',
    ]);
  });
});
