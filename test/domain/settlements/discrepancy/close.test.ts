import { expect } from 'chai';
import { closeDiscrepancy } from '../../../../domain/settlements/discrepancy/close.ts';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { openTill, type Till } from '../settlement/till.ts';

describe('A discrepancy a person closed', () => {
  let ledger: Ledger;
  let till: Till;
  beforeEach(async () => {
    ledger = await openLedger();
    till = await openTill(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  /** Of a payment that no payout holds ten days later. */
  async function closedMissing() {
    const taken = await till.pay();
    ledger.clock.advance(10 * DAY);
    await till.reconcile();
    const [found] = await till.discrepancies();
    const { id, tenant_id: tenantId, mode } = found!;
    const actor = { tenantId, mode, subjectId: 'operator', memberId: null };
    await ledger.tx(async (tx) => {
      await closeDiscrepancy(tx, actor, { id, reason: 'Lost at the provider.' });
      return [];
    });
    return { id, taken };
  }

  it('stays closed for as long as it is the same', async () => {
    const { id } = await closedMissing();
    await till.reconcile();
    expect((await till.discrepancies('closed')).map((row) => row.id)).to.deep.equal([id]);
    expect(await till.discrepancies()).to.deep.equal([]);
  });

  it('is resolved once it vanishes, and still says who closed it and why', async () => {
    const { id, taken } = await closedMissing();
    till.payOut([taken]);
    await till.reconcile();
    expect(await till.discrepancies('closed')).to.deep.equal([]);
    const [resolved] = await till.discrepancies('resolved');
    expect(resolved).to.include({
      id,
      closed_by: 'operator',
      close_reason: 'Lost at the provider.',
    });
  });
});
