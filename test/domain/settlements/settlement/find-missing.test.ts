import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { reportOn } from '../../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../../domain/shared/lagos.ts';
import { DAY, HOUR } from '../../../support/clock.ts';
import { forecasts, paidOut, sendBack, withSettlementFixture } from './with-fixture.ts';

const dayIn = (clock: () => Date, days: number) =>
  new Date(clock().getTime() + HOUR + days * 24 * HOUR).toISOString().slice(0, 10);

describe('A payment that no settlement holds', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();

  it('is forecast for the next business day with all others of that day', async () => {
    await fixture.pay();
    await fixture.pay({ amountKobo: 600_000, feeKobo: null });
    passDays(4); // Friday
    await fixture.pay();
    await fixture.reconcile();
    const [tuesday, monday, ...more] = await forecasts(fixture);
    expect(more).to.deep.equal([]);
    expect(tuesday).to.include({
      ...{ expected_date: dayIn(ledger.clock, -3), transaction_count: 2 },
      ...{ expected_amount_kobo: 1_082_500, fee_kobo: 17_500 },
    });
    expect(monday).to.include({
      ...{ expected_date: dayIn(ledger.clock, 3), transaction_count: 1 },
      expected_amount_kobo: 482_500,
    });
  });

  it('is missing two days after its day and not before, and resolved when a settlement holds it later', async () => {
    passDays(4); // Friday: due on Monday
    const payment = await fixture.pay();
    passDays(5); // Wednesday
    await reconciled();
    passDays(1);
    await reconciled(['missing', 482_500]);
    const [found] = await fixture.discrepancies();
    expect(found).to.include({
      ...{ charge_id: payment.chargeId, settlement_id: null, amount_kobo: 482_500 },
      reference: payment.capture.reference,
    });
    fixture.payOut([payment]);
    await reconciled();
    const resolved = (await fixture.discrepancies('resolved')).map(({ id }) => id);
    expect(resolved).to.deep.equal([found!.id]);
    expect(await forecasts(fixture)).to.deep.equal([]);
  });

  it('is not found missing while the provider does not answer', async () => {
    await fixture.pay();
    passDays(10);
    fixture.failing.set('listSettlements', new ProviderError('unavailable', 'test', 'away'));
    expect((await fixture.reconcile()).error?.kind).to.equal('unavailable');
    expect(await fixture.discrepancies()).to.deep.equal([]);
    fixture.failing.clear();
    await reconciled(['missing', 482_500]);
  });

  it('is not missing if it was refunded entirely; one refunded in part is', async () => {
    const [gone, partly] = [await fixture.pay(), await fixture.pay()];
    await sendBack(ledger, gone, 500_000);
    await sendBack(ledger, partly, 100_000);
    await fixture.reconcile();
    expect((await forecasts(fixture))[0]).to.include({
      ...{ transaction_count: 1, gross_kobo: 500_000 },
      ...{ refunds_kobo: 100_000, expected_amount_kobo: 382_500 },
    });
    passDays(10);
    await reconciled(['missing', 482_500]);
  });

  it('is missing if it was refunded entirely, and another settlement deducted the refund', async () => {
    const gone = await fixture.pay();
    const others = [await fixture.pay(), await fixture.pay()];
    await sendBack(ledger, gone, 500_000);
    passDays(1);
    fixture.payOut(others, { deductionsKobo: 500_000 });
    await fixture.reconcile();
    passDays(7);
    await fixture.reconcile();
    const found = await fixture.discrepancies();
    expect(found.map(({ kind, charge_id: id }) => [kind, id])).to.deep.equal([
      ['missing', gone.chargeId],
    ]);
  });

  it('is missing again where a settlement is stated without it', async () => {
    const payout = fixture.payOut(await paid({}, {}));
    passDays(3);
    await reconciled();
    Object.assign(payout, { lines: payout.lines.slice(0, 1), amountKobo: 482_500 });
    await reconciled(['missing', 482_500]);
    await hasPaidOut({ status: 'landed', transaction_count: 1 });
  });

  it('of a provider’s own test account is never expected: nothing settles there', async () => {
    fixture.context.account = { ...fixture.context.account, mode: 'test', sandbox: false };
    await fixture.pay();
    passDays(10);
    await reconciled();
    expect(await fixture.settlements()).to.deep.equal([]);
  });
});

describe('A forecast', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();

  it('is deleted once no payment is left of it', async () => {
    const payment = await fixture.pay();
    await fixture.reconcile();
    expect(await forecasts(fixture)).to.have.length(1);
    await sendBack(ledger, payment, 500_000);
    await fixture.reconcile();
    expect(await fixture.settlements()).to.deep.equal([]);
  });

  it('becomes the settlement of its day under the same id; a settlement of another day is another', async () => {
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    await fixture.reconcile();
    const [expected] = await forecasts(fixture);
    passDays(1);
    fixture.payOut([one]);
    fixture.payOut([two], { dueOn: dayIn(ledger.clock, 1) });
    await fixture.reconcile();
    const [first, second] = await paidOut(fixture);
    const { id, expected_date } = expected;
    expect(first).to.include({ id, expected_date, expected_amount_kobo: 482_500 });
    expect(second.id).not.to.equal(id);
    expect(second).to.include({ status: 'landed', transaction_count: 1 });
    expect(await forecasts(fixture)).to.deep.equal([]);
  });
});

describe('The report on the settlements of some days', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();

  const report = () => {
    const now = ledger.clock().getTime();
    const [from, to] = [lagosDay(new Date(now - 60 * DAY)), lagosDay(new Date(now + 10 * DAY))];
    return reportOn(ledger.db, fixture.context.account, { from, to });
  };
  const sums = async () => {
    const { sums, overdue, underWay, unknown } = await report();
    return [sums.unexplainedKobo, sums.openCount, overdue.count, underWay.count, unknown.count];
  };

  it('counts a missing payment that its provider does not know any more once, as unknown', async () => {
    await fixture.pay();
    fixture.payments.length = 0;
    passDays(8);
    await fixture.reconcile();
    expect(await sums(), 'missing').to.deep.equal([0, 1, 1, 0, 0]);
    await ledger.rows('update captures set captured_at = $1', ledger.clock());
    await fixture.audit();
    expect(await sums(), 'unknown').to.deep.equal([0, 1, 0, 0, 1]);
    await fixture.reconcile();
    expect(await sums(), 'unknown still').to.deep.equal([0, 1, 0, 0, 1]);
  });

  it('finds no payment missing, and resolves those that came, while the provider does not answer', async () => {
    const payments = [await fixture.pay(), await fixture.pay()];
    passDays(8);
    await fixture.reconcile();
    fixture.payOut(payments);
    fixture.unreadable.add(fixture.payOut([await fixture.pay()]).providerSettlementId);
    expect((await fixture.reconcile()).error).to.be.instanceOf(ProviderError);
    expect(await sums(), 'came').to.deep.equal([0, 0, 0, 1, 0]);
    passDays(8);
    await fixture.reconcile();
    expect(await sums(), 'late').to.deep.equal([0, 0, 0, 1, 0]);
  });
});
