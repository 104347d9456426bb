import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { reportOn } from '../../../../domain/settlements/settlement/report.ts';
import { lagosDay } from '../../../../domain/shared/lagos.ts';
import { DAY } from '../../../support/clock.ts';
import { withSettlementFixture } from './with-fixture.ts';

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
