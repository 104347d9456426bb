import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { memberOf } from '../../support/members.ts';
import { describeStores } from './describe-stores.ts';

describeStores('A payout with money that needs a person', (store) => {
  /** A charge of ₦1,000, paid otherwise. */
  const paidWith = async (amountKobo: number) => {
    const { stack, open } = store();
    const [charge] = await open(100_000);
    await stack.control.pay(charge!.reference, {
      channel: 'bank_transfer',
      amount_kobo: amountKobo,
    });
    await stack.settle();
    return charge!;
  };
  const decide = async (charge: Checkout, verb: 'accept' | 'return') => {
    const { stack, pass } = store();
    const { token: key } = await memberOf(stack, stack.tenant, 'owner');
    const { json } = await stack.api.get('/reviews?status=open&limit=100');
    const review = json.data.find(({ reference }: Checkout) => reference === charge.reference);
    const decided = await stack.api.post(`/reviews/${review.id}/${verb}`, {}, { key });
    expect(decided.status, decided.text).to.equal(200);
    await stack.settle();
    for (let step = 0; step < 2; step++) await pass(3 * SECOND);
  };
  const takenOut = (kobo: number) => (store().name === 'monnify' ? 0 : kobo);

  it('too little of it: lands in full, and settles the charge once it is accepted', async () => {
    const { stack, paidOut, reconcile, settlement, holds, read, discrepancies } = store();
    const charge = await paidWith(60_000);
    const { landed_kobo: landedKobo } = await paidOut();
    const landed = await settlement('landed');
    expect(landed).to.include({
      gross_kobo: 60_000,
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      transaction_count: 1,
    });
    expect(await holds(landed)).to.deep.equal([]);
    expect(await stored(stack, charge)).to.include({
      status: 'pending',
      settled_at: null,
      settlement_id: null,
    });
    await decide(charge, 'accept');
    await reconcile();
    expect(await read(charge)).to.include({
      status: 'settled',
      settlement_id: landed.id,
      settled_at: landed.landed_at,
    });
    expect(await holds(await settlement('landed'))).to.deep.equal([charge.reference]);
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('too little of it, returned: the next payout is smaller, and the charge is as open as before', async () => {
    const { stack, paid, paidOut, settlements, discrepancies } = store();
    const charge = await paidWith(60_000);
    await paidOut();
    await decide(charge, 'return');
    await paid(200_000);
    const { landed_kobo: landedKobo } = await paidOut();
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

  it('too much of it: what goes back of it makes the payout smaller, and the charge settles', async () => {
    const { paidOut, settlement, read, discrepancies } = store();
    const charge = await paidWith(150_000);
    await decide(charge, 'return');
    const { landed_kobo: landedKobo } = await paidOut();
    const landed = await settlement('landed');
    const amounts = { gross_kobo: 150_000, refunds_kobo: takenOut(50_000), transaction_count: 1 };
    expect(landed).to.include({ ...amounts, landed_amount_kobo: landedKobo, shortfall_kobo: 0 });
    expect(await read(charge)).to.include({
      status: 'settled',
      settlement_id: landed.id,
      refunded_kobo: 0,
      amount_kobo: 100_000,
    });
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('disputed: is paid out, and the charge is settled once the dispute is won', async () => {
    const { stack, paid, paidOut, hearOf, settlement, read, discrepancies } = store();
    const [charge] = await paid(100_000);
    await stack.control.dispute(charge!.reference);
    await hearOf(charge!, 'open');
    await paidOut();
    const landed = await settlement('landed');
    expect(await read(charge!)).to.include({
      status: 'disputed',
      settlement_id: landed.id,
      settled_at: landed.landed_at,
    });
    await stack.control.dispute(charge!.reference, 'won');
    await hearOf(charge!, 'won');
    expect(await read(charge!)).to.include({ status: 'settled', settlement_id: landed.id });
    expect(await discrepancies()).to.deep.equal([]);
  });
});

describeStores(
  'A payout of a charge that was paid twice',
  (store) => {
    it('settles the charge by its own payment; what goes back of the other makes it smaller', async () => {
      const { stack, open, pass, paidOut, settlement, holds, read, discrepancies } = store();
      const [charge] = await open(100_000);
      for (const again of [false, true])
        await stack.control.pay(charge!.reference, { channel: 'bank_transfer', again });
      await stack.settle();
      for (let step = 0; step < 3; step++) await pass(3 * SECOND);
      const { landed_kobo: landedKobo } = await paidOut();
      const landed = await settlement('landed');
      expect(landed).to.include({
        gross_kobo: 200_000,
        refunds_kobo: 100_000,
        transaction_count: 2,
        landed_amount_kobo: landedKobo,
      });
      expect(landed.shortfall_kobo).to.equal(0);
      expect(await holds(landed)).to.deep.equal([charge!.reference]);
      const { captures, capture_id: ownId } = await stored(stack, charge!);
      expect(captures.map(({ settlement_id: id }) => id)).to.deep.equal([landed.id, landed.id]);
      const [own] = captures.filter(({ id }) => id === ownId);
      expect(await read(charge!)).to.include({
        status: 'settled',
        fee_kobo: own!.fee_kobo,
        refunded_kobo: 0,
      });
      expect(await discrepancies()).to.deep.equal([]);
    });
  },
  { only: ['flutterwave'] },
);
