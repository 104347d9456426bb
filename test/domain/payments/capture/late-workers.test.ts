import { expect } from 'chai';
import {
  assignToSettlement,
  releaseFromSettlement,
  takeSettlementsOfChanged,
  writeListed,
  writeSettlementDays,
} from '../../../../domain/payments/capture/settle.ts';
import { SECOND } from '../../../support/clock.ts';
import type { Ledger } from '../../ledger.ts';
import type { FixturePayment } from '../../settlements/settlement/fixture.ts';
import { paidOut, withSettlementFixture } from '../../settlements/settlement/with-fixture.ts';

describe('A capture that two settlements or two workers have', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();
  let held: FixturePayment;
  let first: any;
  let second: any;
  beforeEach(async () => {
    held = await fixture.pay({ feeKobo: null });
    const other = await fixture.pay();
    passDays(1);
    fixture.payOut([held]);
    fixture.payOut([other]);
    await fixture.reconcile();
    [first, second] = await paidOut(fixture);
  });

  const stored = async ({ chargeId }: FixturePayment) =>
    (await ledger.rows('select * from captures where charge_id = $1', chargeId))[0]!;
  const inTx: Ledger['inTx'] = (work) => ledger.inTx(work);

  it('stays in the one that took it first, where the other takes it late and states its fee', async () => {
    const { id } = await stored(held);
    await inTx((tx) => assignToSettlement(tx, second.id, [{ id, feeKobo: 1_000 }]));
    expect(await stored(held)).to.include({ settlement_id: first.id, fee_kobo: 1_000 });
  });

  it('is released by the one that holds it, and not by the other', async () => {
    const { id } = await stored(held);
    await inTx((tx) => releaseFromSettlement(tx, second.id, [id]));
    expect(await stored(held)).to.include({ settlement_id: first.id });
    await inTx((tx) => releaseFromSettlement(tx, first.id, [id]));
    expect(await stored(held)).to.include({ settlement_id: null });
  });

  it('keeps the day of its settlement, where another is computed late', async () => {
    const { id, settles_on: day } = await stored(held);
    expect(day).not.to.equal(null);
    await writeSettlementDays(ledger.db, [{ id, day: '2031-01-01' }]);
    expect((await stored(held)).settles_on).to.deep.equal(day);
  });

  it('has the totals of its settlement computed once more after it changed, by the first who asks', async () => {
    const { id, connection_id: connectionId } = await stored(held);
    await ledger.rows('update captures set changed_at = now() where id = $1', id);
    const take = () => inTx((tx) => takeSettlementsOfChanged(tx, connectionId));
    expect([await take(), await take()]).to.deep.equal([[first.id], []]);
  });

  it('keeps the time at which it was listed first', async () => {
    const { connection_id: connectionId, provider_payment_id: paymentId } = await stored(held);
    const list = () => inTx((tx) => writeListed(tx, connectionId, [paymentId]));
    await list();
    const { listed_at: listedAt } = await stored(held);
    ledger.clock.advance(SECOND);
    await list();
    expect((await stored(held)).listed_at).to.deep.equal(listedAt);
  });
});
