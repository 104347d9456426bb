import { expect } from 'chai';
import { enterDispute } from '../../../../domain/payments/commands/enter-dispute.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { reportOn } from '../../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../../domain/shared/lagos.ts';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { type FixturePayment, openSettlementFixture, type SettlementFixture } from './fixture.ts';

describe('The report on the settlements of some days', () => {
  let ledger: Ledger;
  let fixture: SettlementFixture;
  beforeEach(async () => {
    ledger = await openLedger();
    fixture = await openSettlementFixture(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  const report = () => {
    const now = ledger.clock().getTime();
    const [from, to] = [lagosDay(new Date(now - 60 * DAY)), lagosDay(new Date(now + 10 * DAY))];
    return reportOn(ledger.db, fixture.context.account, { from, to });
  };
  const sums = async () => {
    const { sums, overdue, underWay, unknown } = await report();
    return [sums.unexplainedKobo, sums.openCount, overdue.count, underWay.count, unknown.count];
  };
  const lose = async (payment: FixturePayment, amountKobo: number | null = null) => {
    const { number } = await fixture.charge(payment);
    const entered = {
      chargeNumber: Number(number),
      state: 'lost',
      amountKobo,
      note: null,
    } as const;
    await ledger.tx((tx) => enterDispute(tx, entered));
  };
  const chargebacks = async () =>
    (await fixture.settlements()).map(({ chargebacks_kobo: kobo }) => kobo);

  it('explains nothing by a chargeback of a payment that was made later', async () => {
    const early = await fixture.pay();
    ledger.clock.advance(DAY);
    fixture.payOut([early], { deductionsKobo: 12_300 });
    await fixture.reconcile();
    ledger.clock.advance(3 * DAY);
    const late = await fixture.pay();
    await lose(late, 12_300);
    await fixture.reconcile();
    expect((await chargebacks())[0]).to.equal(0);
    expect(
      (await fixture.discrepancies()).map(({ kind, difference_kobo: kobo }) => [kind, kobo]),
    ).to.deep.equal([['deduction_mismatch', 12_300]]);
  });

  it('explains what was taken out by a later chargeback where all of it fits', async () => {
    const [one, other] = [await fixture.pay(), await fixture.pay()];
    ledger.clock.advance(DAY);
    fixture.payOut([one, other], { deductionsKobo: 12_300 });
    await fixture.reconcile();
    ledger.clock.advance(2 * DAY);
    await lose(one);
    await fixture.reconcile();
    expect(await chargebacks(), 'too much').to.deep.equal([0]);
    await ledger.rows('update disputes set deducted_kobo = 500000');
    await lose(other, 12_300);
    await fixture.reconcile();
    expect(await chargebacks()).to.deep.equal([12_300]);
    expect(await fixture.discrepancies()).to.deep.equal([]);
  });

  it('counts a missing payment that its provider does not know any more once, as unknown', async () => {
    await fixture.pay();
    fixture.payments.length = 0;
    ledger.clock.advance(8 * DAY);
    await fixture.reconcile();
    expect(await sums(), 'missing').to.deep.equal([0, 1, 1, 0, 0]);
    await ledger.rows('update captures set captured_at = $1', ledger.clock());
    await fixture.audit();
    expect(await sums(), 'unknown').to.deep.equal([0, 1, 0, 0, 1]);
    await fixture.reconcile();
    expect(await sums(), 'unknown still').to.deep.equal([0, 1, 0, 0, 1]);
  });

  it('finds no payment missing, and resolves those that came, while the provider does not answer', async () => {
    const [one, other] = [await fixture.pay(), await fixture.pay()];
    ledger.clock.advance(8 * DAY);
    await fixture.reconcile();
    fixture.payOut([one, other]);
    const third = await fixture.pay();
    fixture.payOut([third]);
    const { lines } = fixture.payouts.at(-1)!;
    Object.defineProperty(fixture.payouts.at(-1)!, 'lines', {
      get() {
        throw new ProviderError('unknown', 'settlements', 'away');
      },
    });
    expect((await fixture.reconcile()).error).to.be.instanceOf(ProviderError);
    expect(await sums(), 'came').to.deep.equal([0, 0, 0, 1, 0]);
    ledger.clock.advance(8 * DAY);
    await fixture.reconcile();
    expect(await sums(), 'late').to.deep.equal([0, 0, 0, 1, 0]);
    expect(lines).to.have.length(1);
  });
});
