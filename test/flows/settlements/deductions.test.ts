import { expect } from 'chai';
import { MINUTE, SECOND } from '../../support/clock.ts';
import type { Json } from '../../support/provider-account.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A settlement that is smaller', (account) => {
  const expectLanded = (settlement: Json, landedKobo: number, amounts: Json) => {
    const even = {
      status: 'landed',
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 0,
    };
    expect(settlement).to.include({ ...even, refunds_kobo: 0, chargebacks_kobo: 0, ...amounts });
  };
  /** Monnify takes refunds out of a wallet, not out of settlements. */
  const takenOut = (kobo: number) => (account().name === 'monnify' ? 0 : kobo);

  it('by a refund in the provider’s dashboard is explained', async () => {
    const { stack, payCharges, passTime, payOutAndReconcile } = account();
    const { settlement, discrepancies, readTransaction } = account();
    const [charge] = await payCharges(100_000);
    await stack.control.refundNow(charge!.reference, 25_000);
    // Flutterwave does not notify of it: it is seen in the list of the account's refunds.
    for (const step of [3 * SECOND, 3 * SECOND, 2 * MINUTE, 2 * MINUTE]) await passTime(step);
    const { landed_kobo: landedKobo } = await payOutAndReconcile();
    expectLanded(await settlement('landed'), landedKobo, { refunds_kobo: takenOut(25_000) });
    expect(await discrepancies('open')).to.deep.equal([]);
    expect(await readTransaction(charge!)).to.include({ refunded_kobo: 25_000, status: 'settled' });
  });

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
