import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements(
  'A settlement with a payment that needs a person',
  (account, fixture) => {
    const paidWith = async (amountKobo: number) => {
      const [charge] = await account.openCharges(100_000);
      await fixture.pay(charge!, { amount_kobo: amountKobo });
      return charge!;
    };
    const decide = async (charge: Checkout, verb: 'accept' | 'return') => {
      await fixture.decide(charge, verb, account.stack);
      for (let step = 0; step < 2; step++) await account.passTime(3 * SECOND);
    };
    const takenOut = (kobo: number) => (account.name === 'monnify' ? 0 : kobo);

    it('that is too small lands in full, and settles its charge once it is accepted', async () => {
      const { settlement, referencesOf } = account;
      const charge = await paidWith(60_000);
      const { landed_kobo: landedKobo } = await account.payOutAndReconcile();
      const landed = await settlement('landed');
      expect(landed).to.include({
        ...{ gross_kobo: 60_000, transaction_count: 1 },
        ...{ expected_amount_kobo: landedKobo, landed_amount_kobo: landedKobo },
      });
      expect(await referencesOf(landed)).to.deep.equal([]);
      const pending = { status: 'pending', settled_at: null, settlement_id: null };
      expect(await stored(account.stack, charge)).to.include(pending);
      await decide(charge, 'accept');
      await account.reconcile();
      const { id: settlement_id, landed_at: settled_at } = landed;
      const settled = { status: 'settled', settlement_id, settled_at };
      expect(await account.readTransaction(charge)).to.include(settled);
      expect(await referencesOf(await settlement('landed'))).to.deep.equal([charge.reference]);
      expect(await account.discrepancies()).to.deep.equal([]);
    });

    it('that is too small and returned makes the next settlement smaller', async () => {
      const charge = await paidWith(60_000);
      await account.payOutAndReconcile();
      await decide(charge, 'return');
      await account.payCharges(200_000);
      const { landed_kobo: landedKobo } = await account.payOutAndReconcile();
      const [, second] = await account.settlements('landed');
      const amounts = { gross_kobo: 200_000, refunds_kobo: takenOut(60_000) };
      expect(second).to.include({ ...amounts, landed_amount_kobo: landedKobo, shortfall_kobo: 0 });
      expect((await stored(account.stack, charge)).settled_at).to.equal(null);
      expect(await account.discrepancies()).to.deep.equal([]);
    });

    it('that is too large settles its charge; the part returned makes the settlement smaller', async () => {
      const charge = await paidWith(150_000);
      await decide(charge, 'return');
      const { landed_kobo: landedKobo } = await account.payOutAndReconcile();
      const landed = await account.settlement('landed');
      const amounts = { gross_kobo: 150_000, refunds_kobo: takenOut(50_000), transaction_count: 1 };
      expect(landed).to.include({ ...amounts, landed_amount_kobo: landedKobo, shortfall_kobo: 0 });
      const settled = { status: 'settled', settlement_id: landed.id };
      const kept = { refunded_kobo: 0, amount_kobo: 100_000 };
      expect(await account.readTransaction(charge)).to.include({ ...settled, ...kept });
      expect(await account.discrepancies()).to.deep.equal([]);
    });
  },
  { only: ['paystack', 'monnify'] },
);
