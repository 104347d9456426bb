import { expect } from 'chai';
import { enterDispute } from '../../../../domain/payments/dispute/enter.ts';
import { ProviderError } from '../../../../domain/providers/provider.ts';
import { reportOn } from '../../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../../domain/shared/lagos.ts';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { openSettlementFixture, type SettlementFixture, type Taken } from './fixture.ts';

describe('What makes the difference of some days is explained', () => {
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
    return reportOn(ledger.db, fixture.desk.account, { from, to });
  };
  const sums = async () => {
    const { sums, overdue, underWay, unknown } = await report();
    return [sums.unexplainedKobo, sums.openCount, overdue.count, underWay.count, unknown.count];
  };
  const lose = async (taken: Taken, amountKobo: number | null = null) => {
    const { number } = await fixture.charge(taken);
    const entered = {
      chargeNumber: Number(number),
      state: 'lost',
      amountKobo,
      note: null,
    } as const;
    await ledger.tx(async (tx) => (await enterDispute(tx, entered)).jobs);
  };
  const chargebacks = async () =>
    (await fixture.settlements()).map(({ chargebacks_kobo: kobo }) => kobo);

  it('by no chargeback of a payment that was made after it', async () => {
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

  it('by late news of a chargeback where it fits entirely, and by no part of one', async () => {
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

  it('once: a missing payment that its provider does not know any more is unknown there, not missing', async () => {
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

  it('while its provider does not answer: what is late by now is not found missing, and what came is not missing any more', async () => {
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
