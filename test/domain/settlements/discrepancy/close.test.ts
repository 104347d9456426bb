import { expect } from 'chai';
import { closeDiscrepancy } from '../../../../domain/settlements/discrepancy/close.ts';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { openSettlementFixture, type SettlementFixture } from '../settlement/fixture.ts';

describe('A discrepancy that a person closed', () => {
  let ledger: Ledger;
  let fixture: SettlementFixture;
  beforeEach(async () => {
    ledger = await openLedger();
    fixture = await openSettlementFixture(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  /** Of a payment that no payout holds ten days later. */
  async function closedMissing() {
    const payment = await fixture.pay();
    ledger.clock.advance(10 * DAY);
    await fixture.reconcile();
    const [found] = await fixture.discrepancies();
    const { id, tenant_id: tenantId, mode } = found!;
    const actor = { tenantId, mode, subjectId: 'operator', memberId: null };
    await ledger.tx((tx) => closeDiscrepancy(tx, actor, { id, reason: 'Lost at the provider.' }));
    return { id, payment };
  }

  it('stays closed while it is the same', async () => {
    const { id } = await closedMissing();
    await fixture.reconcile();
    expect((await fixture.discrepancies('closed')).map((row) => row.id)).to.deep.equal([id]);
    expect(await fixture.discrepancies()).to.deep.equal([]);
  });

  it('is resolved once it vanishes, and still has who closed it and why', async () => {
    const { id, payment } = await closedMissing();
    fixture.payOut([payment]);
    await fixture.reconcile();
    expect(await fixture.discrepancies('closed')).to.deep.equal([]);
    const [resolved] = await fixture.discrepancies('resolved');
    expect(resolved).to.include({
      id,
      closed_by: 'operator',
      close_reason: 'Lost at the provider.',
    });
  });
});
