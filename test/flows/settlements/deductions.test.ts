import { expect } from 'chai';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A settlement that is smaller', (account) => {
  it('by a lost dispute that is not recorded has a discrepancy until it is', async () => {
    const { stack, name, payCharges, payOutAndReconcile, reportDispute } = account();
    const { settlement, reconcile, discrepancy, discrepancies } = account();
    const [lost] = await payCharges(80_000, 300_000);
    await stack.control.faults({ provider: name, drop_notifications: true });
    await stack.context.db.query(
      `update connection_tasks set due_at = null where task = 'disputes'`,
    );
    await stack.control.dispute(lost!.reference, 'lost');
    await stack.control.faults();
    await payOutAndReconcile();
    if (name === 'paystack') {
      // The nightly list shows the payment as reversed, so its disputes are asked for at once.
      expect(await settlement('landed')).to.include({ chargebacks_kobo: 80_000 });
      expect(await discrepancies()).to.deep.equal([]);
      return;
    }
    const kind = name === 'monnify' ? 'short' : 'deduction_mismatch';
    expect(await discrepancy()).to.include({ kind, amount_kobo: 80_000, difference_kobo: 80_000 });
    expect(await settlement('short')).to.include({ shortfall_kobo: 80_000, chargebacks_kobo: 0 });
    await reportDispute(lost!, 'lost');
    await reconcile();
    expect(await settlement('landed')).to.include({ shortfall_kobo: 0, chargebacks_kobo: 80_000 });
    expect((await discrepancies()).map(({ status }) => status)).to.deep.equal(['resolved']);
  });
});
