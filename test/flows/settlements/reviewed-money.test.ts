import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { memberOf } from '../../support/members.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements(
  'A settlement with a payment that needs a person',
  (account) => {
    const paidWith = async (amountKobo: number) => {
      const { stack, openCharges } = account();
      const [charge] = await openCharges(100_000);
      await stack.control.pay(charge!.reference, {
        channel: 'bank_transfer',
        amount_kobo: amountKobo,
      });
      await stack.settle();
      return charge!;
    };
    const decide = async (charge: Checkout, verb: 'accept' | 'return') => {
      const { stack, passTime } = account();
      const { token: key } = await memberOf(stack, stack.tenant, 'owner');
      const { json } = await stack.api.get('/reviews?status=open&limit=100');
      const review = json.data.find(({ reference }: Checkout) => reference === charge.reference);
      const decided = await stack.api.post(`/reviews/${review.id}/${verb}`, {}, { key });
      expect(decided.status, decided.text).to.equal(200);
      await stack.settle();
      for (let step = 0; step < 2; step++) await passTime(3 * SECOND);
    };
    const takenOut = (kobo: number) => (account().name === 'monnify' ? 0 : kobo);

    it('that is too small lands in full, and settles its charge once it is accepted', async () => {
      const { stack, payOutAndReconcile, reconcile, settlement } = account();
      const { referencesOf, readTransaction, discrepancies } = account();
      const charge = await paidWith(60_000);
      const { landed_kobo: landedKobo } = await payOutAndReconcile();
      const landed = await settlement('landed');
      expect(landed).to.include({
        gross_kobo: 60_000,
        expected_amount_kobo: landedKobo,
        landed_amount_kobo: landedKobo,
        transaction_count: 1,
      });
      expect(await referencesOf(landed)).to.deep.equal([]);
      expect(await stored(stack, charge)).to.include({
        status: 'pending',
        settled_at: null,
        settlement_id: null,
      });
      await decide(charge, 'accept');
      await reconcile();
      expect(await readTransaction(charge)).to.include({
        status: 'settled',
        settlement_id: landed.id,
        settled_at: landed.landed_at,
      });
      expect(await referencesOf(await settlement('landed'))).to.deep.equal([charge.reference]);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('that is too small and returned makes the next settlement smaller', async () => {
      const { stack, payCharges, payOutAndReconcile, settlements, discrepancies } = account();
      const charge = await paidWith(60_000);
      await payOutAndReconcile();
      await decide(charge, 'return');
      await payCharges(200_000);
      const { landed_kobo: landedKobo } = await payOutAndReconcile();
      const [, second] = await settlements('landed');
      expect(second).to.include({
        gross_kobo: 200_000,
        refunds_kobo: takenOut(60_000),
        landed_amount_kobo: landedKobo,
        shortfall_kobo: 0,
      });
      expect((await stored(stack, charge)).settled_at).to.equal(null);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('that is too large settles its charge; the part returned makes the settlement smaller', async () => {
      const { payOutAndReconcile, settlement, readTransaction, discrepancies } = account();
      const charge = await paidWith(150_000);
      await decide(charge, 'return');
      const { landed_kobo: landedKobo } = await payOutAndReconcile();
      const landed = await settlement('landed');
      const amounts = { gross_kobo: 150_000, refunds_kobo: takenOut(50_000), transaction_count: 1 };
      expect(landed).to.include({ ...amounts, landed_amount_kobo: landedKobo, shortfall_kobo: 0 });
      expect(await readTransaction(charge)).to.include({
        status: 'settled',
        settlement_id: landed.id,
        refunded_kobo: 0,
        amount_kobo: 100_000,
      });
      expect(await discrepancies()).to.deep.equal([]);
    });
  },
  { only: ['paystack', 'monnify'] },
);
