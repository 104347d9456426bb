import { expect } from 'chai';
import { DAY } from '../../support/clock.ts';
import { describeStores } from './describe-stores.ts';

/** Monnify tells of a payout once its money was sent, and not what became of it: it is in neither of these. */
describeStores(
  'A payout that is not done with',
  (store) => {
    it('is expected while it is on its way, and lands under the id it had', async () => {
      const {
        stack,
        paid,
        payday,
        payOut,
        reconcile,
        settlement,
        holds,
        read,
        discrepancies,
        events,
      } = store();
      const [charge] = await paid(200_000);
      await payday();
      const pending = await payOut({ status: 'pending' });
      await reconcile();
      const expected = await settlement('expected');
      expect(expected).to.include({
        landed_amount_kobo: null,
        landed_at: null,
        expected_amount_kobo: pending.landed_kobo,
      });
      expect(await holds(expected)).to.deep.equal([charge!.reference]);
      expect(await read(charge!)).to.include({ status: 'succeeded', settlement_id: null });
      expect(await events()).to.deep.equal([]);

      await stack.control.changeSettlement(pending.id, { status: 'landed' });
      await reconcile();
      const landed = await settlement('landed');
      expect(landed).to.include({
        id: expected.id,
        landed_amount_kobo: pending.landed_kobo,
        shortfall_kobo: 0,
      });
      expect(await read(charge!)).to.include({
        status: 'settled',
        settlement_id: expected.id,
        settled_at: landed.landed_at,
      });
      expect(await events()).to.deep.equal([landed]);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('and fails settles nothing; its payments are expected, and paid out in another', async () => {
      const {
        stack,
        paid,
        paidOut,
        payOut,
        pass,
        reconcile,
        settlement,
        holds,
        read,
        discrepancies,
        events,
      } = store();
      const [charge] = await paid(200_000);
      const bounced = await paidOut({ status: 'failed' });
      const failed = await settlement('failed');
      expect(failed).to.include({
        landed_amount_kobo: 0,
        landed_at: null,
        expected_amount_kobo: bounced.landed_kobo,
      });
      expect(await read(charge!)).to.include({ status: 'succeeded', settlement_id: null });
      expect(await events()).to.deep.equal([]);

      await stack.context.db.query(
        'update sandbox.payment set settlement_id = null where settlement_id = $1',
        [bounced.id],
      );
      await pass(DAY);
      await payOut();
      await reconcile();
      const landed = await settlement('landed');
      expect(landed.id).not.to.equal(failed.id);
      expect(landed).to.include({ landed_amount_kobo: bounced.landed_kobo, shortfall_kobo: 0 });
      expect(await holds(landed)).to.deep.equal([charge!.reference]);
      expect(await holds(failed)).to.deep.equal([]);
      expect(await read(charge!)).to.include({ status: 'settled', settlement_id: landed.id });
      expect(await settlement('failed')).to.include({ id: failed.id, landed_amount_kobo: 0 });
      expect(await discrepancies()).to.deep.equal([]);
      expect(await events()).to.deep.equal([landed]);
    });

    it('and fails may land after all', async () => {
      const { stack, paid, paidOut, reconcile, settlement, read, discrepancies, events } = store();
      const [charge] = await paid(200_000);
      const bounced = await paidOut({ status: 'failed' });
      const { id } = await settlement('failed');
      await stack.control.changeSettlement(bounced.id, { status: 'landed' });
      await reconcile();
      const landed = await settlement('landed');
      expect(landed).to.include({ id, landed_amount_kobo: bounced.landed_kobo });
      expect(await read(charge!)).to.include({ status: 'settled', settlement_id: id });
      expect(await events()).to.deep.equal([landed]);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('and bounces after it landed has failed; its charges stay settled, and its payments are expected again', async () => {
      const { stack, paid, paidOut, reconcile, settlement, read, discrepancies, events } = store();
      const [charge] = await paid(200_000);
      const paidOutAs = await paidOut();
      const { id } = await settlement('landed');
      await stack.control.changeSettlement(paidOutAs.id, { status: 'failed' });
      await reconcile();
      expect(await settlement('failed')).to.include({
        id,
        landed_amount_kobo: 0,
        shortfall_kobo: paidOutAs.landed_kobo,
      });
      expect(await settlement('expected')).to.include({
        expected_amount_kobo: paidOutAs.landed_kobo,
        transaction_count: 1,
      });
      expect(await discrepancies()).to.deep.equal([]);
      expect(await read(charge!)).to.include({ status: 'settled', settlement_id: id });

      await stack.control.changeSettlement(paidOutAs.id, { status: 'landed' });
      await reconcile();
      expect(await settlement('landed')).to.include({
        id,
        landed_amount_kobo: paidOutAs.landed_kobo,
        shortfall_kobo: 0,
      });
      expect(await discrepancies()).to.deep.equal([]);
      expect(await events()).to.have.length(2);
    });

    it('and is stated anew without a payment it held holds it no more', async () => {
      const { stack, paid, paidOut, reconcile, settlement, holds, read, discrepancies } = store();
      const [lost, kept] = await paid(300_000, 100_000);
      await paidOut();
      const before = await settlement('landed');
      expect(await holds(before)).to.have.length(2);
      await stack.control.forget(lost!.reference);
      await reconcile();
      const after = await settlement('landed');
      const { fee_kobo: feeKobo } = await read(kept!);
      const amounts = {
        gross_kobo: 100_000,
        expected_amount_kobo: 100_000 - feeKobo,
        landed_amount_kobo: 100_000 - feeKobo,
      };
      expect(after).to.include({
        id: before.id,
        transaction_count: 1,
        shortfall_kobo: 0,
        ...amounts,
      });
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('and leaves a payment to another is none the poorer for it', async () => {
      const { stack, paid, paidOut, payOut, reconcile, settlements, holds, read, discrepancies } =
        store();
      const [moved, kept] = await paid(300_000, 100_000);
      const { id } = await paidOut();
      await stack.context.db.query(
        'update sandbox.payment set settlement_id = null where settlement_id = $1 and paid_kobo = 300000',
        [id],
      );
      const keptKobo = 100_000 - (await read(kept!)).fee_kobo;
      await stack.control.changeSettlement(id, { landed_kobo: keptKobo });
      await payOut();
      await reconcile();
      await reconcile();
      const [first, second] = await settlements('landed');
      expect(first).to.include({ landed_amount_kobo: keptKobo, transaction_count: 1 });
      expect(second).to.include({ transaction_count: 1, gross_kobo: 300_000 });
      expect(await read(moved!)).to.include({ status: 'settled', settlement_id: second!.id });
      for (const one of [first!, second!]) expect(await holds(one)).to.have.length(1);
      expect(await discrepancies('open')).to.deep.equal([]);
    });

    it('and bounces, and is paid out in another, belongs to that one', async () => {
      const {
        stack,
        paid,
        paidOut,
        payOut,
        reconcile,
        settlement,
        settlements,
        holds,
        discrepancies,
        read,
      } = store();
      const [charge] = await paid(200_000);
      const bounced = await paidOut();
      await stack.control.changeSettlement(bounced.id, { status: 'failed' });
      await stack.context.db.query(
        'update sandbox.payment set settlement_id = null where settlement_id = $1',
        [bounced.id],
      );
      await reconcile();
      await payOut();
      await reconcile();
      expect((await settlements()).map(({ landed_amount_kobo: kobo }) => kobo)).to.deep.equal([
        0,
        bounced.landed_kobo,
      ]);
      expect(await discrepancies('open')).to.deep.equal([]);
      const { id } = await settlement('landed');
      expect(await read(charge!)).to.include({ status: 'settled', settlement_id: id });
      expect(await holds(await settlement('landed'))).to.have.length(1);
    });
  },
  { only: ['paystack', 'flutterwave'] },
);
