import { expect } from 'chai';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeSettlements } from './describe-settlements.ts';

/** Monnify states a settlement only when its money was sent, so it takes no part in these. */
describeSettlements(
  'A settlement whose statement changes',
  (account) => {
    it('is expected while it is pending, and lands under the same id', async () => {
      const { stack, payCharges, passToPayday, payOut, reconcile } = account();
      const { settlement, referencesOf, readTransaction, discrepancies, events } = account();
      const [charge] = await payCharges(200_000);
      await passToPayday();
      const pending = await payOut({ status: 'pending' });
      await reconcile();
      const expected = await settlement('expected');
      expect(expected).to.include({
        landed_amount_kobo: null,
        landed_at: null,
        expected_amount_kobo: pending.landed_kobo,
      });
      expect(await referencesOf(expected)).to.deep.equal([charge!.reference]);
      expect(await readTransaction(charge!)).to.include({
        status: 'succeeded',
        settlement_id: null,
      });
      expect(await events()).to.deep.equal([]);

      await stack.control.changeSettlement(pending.id, { status: 'landed' });
      await reconcile();
      const landed = await settlement('landed');
      expect(landed).to.include({
        id: expected.id,
        landed_amount_kobo: pending.landed_kobo,
        shortfall_kobo: 0,
      });
      expect(await readTransaction(charge!)).to.include({
        status: 'settled',
        settlement_id: expected.id,
        settled_at: landed.landed_at,
      });
      expect(await events()).to.deep.equal([landed]);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('fails after it landed, and its payments are paid out with another', async () => {
      const { stack, payCharges, payOutAndReconcile, payOut, reconcile } = account();
      const { settlement, settlements, referencesOf, discrepancies, readTransaction } = account();
      const [charge] = await payCharges(200_000);
      const failed = await payOutAndReconcile();
      await stack.control.changeSettlement(failed.id, { status: 'failed' });
      changePayments(stack, charge!, () => ({ settlementId: null }));
      await reconcile();
      await payOut();
      await reconcile();
      expect((await settlements()).map(({ landed_amount_kobo: kobo }) => kobo)).to.deep.equal([
        0,
        failed.landed_kobo,
      ]);
      expect(await discrepancies('open')).to.deep.equal([]);
      const { id } = await settlement('landed');
      expect(await readTransaction(charge!)).to.include({ status: 'settled', settlement_id: id });
      expect(await referencesOf(await settlement('landed'))).to.have.length(1);
    });
  },
  { only: ['paystack', 'flutterwave'] },
);
