import { expect } from 'chai';
import { accept, paidOut, withSettlementFixture } from './with-fixture.ts';

const unknownPayment = {
  ...{ providerPaymentId: 'unknownPayment', reference: 'SV-900000001-zzzzzzzz' },
  ...{ amountKobo: 80_000, feeKobo: 1_200 },
};

const settleEntries = `select what from timeline_entries
  where charge_id = $1 and what like '%settle%' order by position`;

describe('A line of a payment that is not on record', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();
  const kindsResolved = async () =>
    (await fixture.discrepancies('resolved')).map(({ kind }) => kind);

  it('is a never_notified discrepancy, has its attempt checked now, writes nothing to its charge, and settles it once the payment is recorded', async () => {
    const [unrecorded, known] = await paid({ isRecorded: false }, {});
    const { fee_kobo } = await fixture.charge(unrecorded);
    const { landedAt } = fixture.payOut([unrecorded, known]);
    await ledger.rows('update attempts set due_at = null');
    for (let run = 0; run < 2; run++) await reconciled(['never_notified', -482_500]);
    const [first] = await paidOut(fixture);
    expect(first).to.include({
      ...{ status: 'landed', transaction_count: 1 },
      ...{ expected_amount_kobo: 482_500, landed_amount_kobo: 965_000 },
    });
    const [found] = await fixture.discrepancies();
    expect(found).to.include({
      ...{ settlement_id: first.id, charge_id: unrecorded.chargeId, amount_kobo: 500_000 },
    });
    const due = await ledger.rows('select id from attempts where due_at is not null');
    expect(due).to.deep.equal([{ id: unrecorded.attempt.id }]);
    expect(await fixture.charge(unrecorded)).to.include({
      ...{ status: 'pending', capture_id: null, settled_at: null, settlement_id: null, fee_kobo },
    });
    await fixture.verify(unrecorded);
    expect(await fixture.charge(unrecorded)).to.include({ status: 'succeeded', settled_at: null });
    await reconciled();
    await hasPaidOut({ status: 'landed', transaction_count: 2, expected_amount_kobo: 965_000 });
    const resolved = (await fixture.discrepancies('resolved')).map(({ id }) => id);
    expect(resolved).to.deep.equal([found!.id]);
    const charge = await fixture.charge(unrecorded);
    expect(charge).to.include({ status: 'settled', settlement_id: first.id, fee_kobo: 17_500 });
    expect(charge.settled_at).to.deep.equal(landedAt);
    const entries = await ledger.rows(settleEntries, unrecorded.chargeId);
    expect(entries).to.deep.equal([{ what: 'charge.settled' }]);
    const events = await ledger.rows(`select 1 from events where type = 'settlement.landed'`);
    expect(events).to.have.length(1);
  });

  it('is on record as a discrepancy however soon its attempt is checked', async () => {
    const [unrecorded] = await paid({ isRecorded: false });
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
    expect(await kindsResolved()).to.deep.equal(['never_notified']);
  });

  it('stays a discrepancy where no attempt has its reference', async () => {
    fixture.payOut([...(await paid({})), unknownPayment]);
    for (let run = 0; run < 3; run++) await reconciled(['never_notified', -78_800]);
    const { reference } = unknownPayment;
    expect((await fixture.discrepancies())[0]).to.include({ charge_id: null, reference });
    await hasPaidOut({ foreign_count: 0, transaction_count: 1 });
  });

  it('in two settlements belongs to the first, and is paid out again by the second', async () => {
    const [unrecorded] = await paid({ isRecorded: false });
    fixture.payOut([unrecorded]);
    fixture.payOut([unrecorded]);
    for (let run = 0; run < 2; run++)
      await reconciled(['amount_mismatch', -482_500], ['never_notified', -482_500]);
    const [first, second] = await paidOut(fixture);
    const held = await fixture.discrepancies();
    expect(held.map(({ kind, settlement_id: id }) => [kind, id]).sort()).to.deep.equal([
      ['amount_mismatch', second.id],
      ['never_notified', first.id],
    ]);
    await fixture.verify(unrecorded);
    await reconciled(['amount_mismatch', -482_500]);
    expect(await fixture.charge(unrecorded)).to.include({ settlement_id: first.id });
    const counts = (await paidOut(fixture)).map(({ transaction_count }) => transaction_count);
    expect(counts).to.deep.equal([1, 0]);
  });

  it('is matched once its payment is recorded, however many other lines have no payment', async () => {
    const [unrecorded] = await paid({ isRecorded: false });
    fixture.linesPerPage = 1_000;
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    const unknownPayments = Array.from({ length: 600 }, (_, n) => ({
      ...{
        ...unknownPayment,
        providerPaymentId: `s-${n}`,
        reference: `SV-${800_000 + n}-zzzzzzzz`,
      },
    }));
    fixture.payOut(unknownPayments);
    await fixture.reconcile();
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    await hasPaidOut({ transaction_count: 1, expected_amount_kobo: 482_500 });
    expect(await kindsResolved()).to.deep.equal(['never_notified']);
  });

  it('is recorded as paid and then missing, where its settlement failed meanwhile', async () => {
    const [unrecorded] = await paid({ isRecorded: false });
    const payout = fixture.payOut([unrecorded]);
    await fixture.reconcile();
    payout.state = 'failed';
    await fixture.reconcile();
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    await hasPaidOut({ status: 'failed', landed_amount_kobo: 0 });
    passDays(5);
    await reconciled(['missing', 482_500]);
  });
});

describe('A line of a charge that is not simply paid', () => {
  const { ledger, fixture, paid, reconciled, hasPaidOut } = withSettlementFixture();

  it('is recorded where it is refunded or disputed, and on its timeline once, and leaves the status alone', async () => {
    const payments = await paid({}, {}, {});
    const statuses = ['succeeded', 'refunded', 'disputed'];
    for (const [index, { chargeId }] of payments.entries())
      await ledger.rows('update charges set status = $2 where id = $1', chargeId, statuses[index]);
    fixture.payOut(payments);
    for (let run = 0; run < 2; run++) await fixture.reconcile();
    const [settlement] = await paidOut(fixture);
    expect(settlement).to.include({ status: 'landed', transaction_count: 3 });
    for (const [index, status] of ['settled', 'refunded', 'disputed'].entries()) {
      const charge = await fixture.charge(payments[index]!);
      expect(charge).to.include({ status, settlement_id: settlement.id });
      const what = status === 'settled' ? 'charge.settled' : 'charge.settlement_line';
      expect(await ledger.rows(settleEntries, charge.id)).to.deep.equal([{ what }]);
    }
  });

  it('of a payment on hold settles its charge once a person accepts it', async () => {
    const [held] = await paid({ amountKobo: 300_000, feeKobo: 4_500 });
    fixture.payOut([held]);
    await reconciled();
    await hasPaidOut({ status: 'landed', gross_kobo: 300_000, transaction_count: 1 });
    expect(await fixture.charge(held)).to.include({ status: 'pending', settlement_id: null });
    await accept(ledger, held.chargeId);
    expect((await fixture.charge(held)).status).to.equal('succeeded');
    await fixture.reconcile();
    expect(await fixture.charge(held)).to.include({ status: 'settled', fee_kobo: 4_500 });
  });

  it('of a duplicate payment does not settle the charge; the line of its own payment does', async () => {
    const [own] = await paid({});
    const extra = { ...own, capture: { ...own.capture, providerPaymentId: 'second' } };
    fixture.payments.push(extra.capture);
    await fixture.verify(extra);
    fixture.payOut([extra]);
    await fixture.reconcile();
    expect(await fixture.charge(own), 'the other is not its own').to.include({
      ...{ status: 'succeeded', settlement_id: null },
    });
    fixture.payOut([own]);
    await reconciled();
    expect(await fixture.charge(own)).to.include({ status: 'settled' });
    const counts = (await paidOut(fixture)).map(({ transaction_count }) => transaction_count);
    expect(counts).to.deep.equal([1, 1]);
  });
});
