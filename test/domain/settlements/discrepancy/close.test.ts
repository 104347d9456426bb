import { expect } from 'chai';
import { closeDiscrepancy } from '../../../../domain/settlements/discrepancy/close.ts';
import { withSettlementFixture } from '../settlement/with-fixture.ts';

describe('A discrepancy that a person closed', () => {
  const { ledger, fixture, passDays, reconciled } = withSettlementFixture();

  it('stays closed while it is the same; resolved once it vanishes, it still has who closed it and why', async () => {
    const payment = await fixture.pay();
    passDays(10);
    await reconciled(['missing', 482_500]);
    const { id, tenant_id: tenantId, mode } = (await fixture.discrepancies())[0]!;
    const actor = { tenantId, mode, subjectId: 'operator', memberId: null };
    const reason = 'Lost at the provider.';
    await ledger.tx((tx) => closeDiscrepancy(tx, actor, { id, reason }));
    await reconciled();
    expect((await fixture.discrepancies('closed')).map((row) => row.id)).to.deep.equal([id]);
    fixture.payOut([payment]);
    await reconciled();
    expect(await fixture.discrepancies('closed')).to.deep.equal([]);
    const [resolved] = await fixture.discrepancies('resolved');
    expect(resolved).to.include({ id, closed_by: 'operator', close_reason: reason });
  });
});
