import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('The payments of an account', (account, fixture) => {
  describe('A settlement', () => {
    it('pays out the whole amount where the payer bore the fee', async () => {
      const { control, settle } = account.stack;
      const [charge] = await account.openCharges(500_000);
      await control.pay(charge!.reference, { channel: 'bank_transfer', payer_fee_kobo: 7_600 });
      await settle();
      const paid = await stored(account.stack, charge!);
      expect(paid).to.deep.include({ status: 'succeeded', fee_kobo: 0, review: [] });
      const [capture] = await account.stack.sql`select * from captures`;
      const counted = { status: 'applied', amount_kobo: 500_000, payer_fee_kobo: 7_600 };
      expect(capture).to.include(counted);
      const { landed_kobo: landedKobo } = await account.payOutAndReconcile();
      expect(landedKobo).to.equal(500_000);
      expect(await account.settlement('landed')).to.include({
        ...{ gross_kobo: 500_000, fee_kobo: 0, landed_amount_kobo: 500_000, shortfall_kobo: 0 },
      });
      const settled = { status: 'settled', fee_kobo: 0, net_kobo: 500_000 };
      expect(await account.readTransaction(charge!)).to.include(settled);
      expect(await account.discrepancies()).to.deep.equal([]);
    });

    it('is expected on its day, lands, and settles its charges', async () => {
      const { readTransaction, referencesOf } = account;
      const charges = await account.payCharges(100_000, 250_000);
      const references = charges.map(({ reference }) => reference).sort();
      await account.reconcile();
      const before = await Promise.all(charges.map(readTransaction));
      const feeKobo = before[0]!.fee_kobo + before[1]!.fee_kobo;
      expect(feeKobo).to.be.greaterThan(0);
      const amounts = {
        ...{ gross_kobo: 350_000, fee_kobo: feeKobo, expected_amount_kobo: 350_000 - feeKobo },
        ...{ refunds_kobo: 0, chargebacks_kobo: 0, foreign_kobo: 0, foreign_count: 0 },
        transaction_count: 2,
      };
      const expected = await account.settlement('expected');
      expect(expected).to.include({
        ...{ ...amounts, provider: before[0]!.provider },
        ...{ landed_amount_kobo: null, shortfall_kobo: null, landed_at: null },
      });
      expect(await referencesOf(expected)).to.deep.equal(references);

      const { landed_kobo: landedKobo } = await account.payOutAndReconcile();
      expect(landedKobo).to.equal(350_000 - feeKobo);
      const landed = await account.settlement('landed');
      const { id, expected_date } = expected;
      const inFull = { landed_amount_kobo: landedKobo, shortfall_kobo: 0 };
      expect(landed).to.include({ id, expected_date, ...amounts, ...inFull });
      expect(landed.landed_at).to.match(/Z$/);
      expect(await referencesOf(landed)).to.deep.equal(references);
      for (const [index, charge] of charges.entries())
        expect(await readTransaction(charge)).to.include({
          ...{ status: 'settled', settlement_id: id, settled_at: landed.landed_at },
          fee_kobo: before[index]!.fee_kobo,
        });
      expect(await account.discrepancies()).to.deep.equal([]);
    });

    it('smaller by a lost dispute that is not recorded has a discrepancy until it is', async () => {
      const { stack, name, settlement, discrepancies } = account;
      const [lost] = await account.payCharges(80_000, 300_000);
      await stack.control.faults({ provider: name, drop_notifications: true });
      await stack.sql`update connection_tasks set due_at = null where task = 'disputes'`;
      await stack.control.dispute(lost!.reference, 'lost');
      await stack.control.faults();
      await account.payOutAndReconcile();
      if (name === 'paystack') {
        // The nightly list shows the payment as reversed, so its disputes are asked for at once.
        expect(await settlement('landed')).to.include({ chargebacks_kobo: 80_000 });
        expect(await discrepancies()).to.deep.equal([]);
        return;
      }
      const kind = name === 'monnify' ? 'short' : 'deduction_mismatch';
      const difference = { amount_kobo: 80_000, difference_kobo: 80_000 };
      expect(await account.discrepancy()).to.include({ kind, ...difference });
      expect(await settlement('short')).to.include({ shortfall_kobo: 80_000, chargebacks_kobo: 0 });
      await account.reportDispute(lost!, 'lost');
      await account.reconcile();
      expect(await settlement('landed')).to.include({
        shortfall_kobo: 0,
        chargebacks_kobo: 80_000,
      });
      expect((await discrepancies()).map(({ status }) => status)).to.deep.equal(['resolved']);
    });

    it('with a line in another currency, of the merchant’s other business, counts it with no amount', async () => {
      const { stack, payOut } = account;
      const [charge] = await account.payCharges(200_000);
      await account.passToPayday();
      const reference = `INV-${account.accountId}`;
      const foreign = [{ reference, amount_kobo: 90_000 }];
      const { id, landed_kobo: landedKobo } = await payOut({ status: 'pending', foreign });
      changePayments(stack, { reference }, () => ({ lineCurrency: 'USD' }));
      await stack.control.changeSettlement(id, { status: 'landed' });
      await account.reconcile();
      const landed = await account.settlement('landed');
      expect(landed).to.include({ transaction_count: 1, foreign_count: 1, foreign_kobo: 0 });
      const settled = { status: 'settled', settlement_id: landed.id };
      expect(await account.readTransaction(charge!)).to.include(settled);
      expect(await account.discrepancy(), 'what the bank received is left to a person').to.include({
        kind: 'surplus',
        difference_kobo: landed.expected_amount_kobo - landedKobo,
      });
    });
  });

  describe('The nightly audit', () => {
    /** As if every check of a payment's own were lost. */
    const forgetChecks = () => account.stack.sql`update attempts set due_at = null`;

    it('finds a payment without a notification, and its charge succeeds', async () => {
      const [charge] = await account.payUnnotified(200_000);
      await forgetChecks();
      await account.passNight();
      expect((await stored(account.stack, charge!)).status).to.equal('succeeded');
      await account.passNight();
      const { id } = await account.readTransaction(charge!);
      const [found, ...more] = await account.discrepancies();
      const never = { kind: 'never_notified', status: 'resolved', transaction_id: id };
      expect(found).to.include(never);
      expect(more).to.deep.equal([]);
    });

    it('finds a payment that its provider reversed without telling us: its charge is refunded by a refund of the provider', async () => {
      const { stack } = account;
      const [charge, kept] = await account.payCharges(300_000, 100_000);
      await stack.control.reverse(charge!.reference, { notify: false });
      await forgetChecks();
      await account.passNight();
      expect((await stored(stack, charge!)).status).to.equal('refunded');
      expect(await account.readTransaction(charge!)).to.include({ refunded_kobo: 300_000 });
      expect((await stored(stack, kept!)).status).to.equal('succeeded');
    });
  });

  if (account.name === 'flutterwave') return;

  describe('A settlement with a payment that needs a person', () => {
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
  });
});
