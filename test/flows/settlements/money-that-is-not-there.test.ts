import { expect } from 'chai';
import { DAY } from '../../support/clock.ts';
import { describeStores } from './describe-stores.ts';

describeStores('Money of a payout', (store) => {
  it('that did not reach the bank is short; topped up later, it is made up for, and told once', async () => {
    const {
      stack,
      paid,
      paidOut,
      reconcile,
      settlement,
      discrepancy,
      discrepancies,
      read,
      events,
    } = store();
    const [charge] = await paid(200_000);
    const paidOutAs = await paidOut({ short_by_kobo: 60_000 });
    const short = await settlement('short');
    const expectedKobo = paidOutAs.landed_kobo + 60_000;
    const amounts = {
      expected_amount_kobo: expectedKobo,
      landed_amount_kobo: paidOutAs.landed_kobo,
      shortfall_kobo: 60_000,
    };
    expect(short).to.include(amounts);
    const found = await discrepancy();
    expect(found).to.include({
      kind: 'short',
      settlement_id: short.id,
      amount_kobo: 60_000,
      difference_kobo: 60_000,
    });
    expect(found).to.include({
      transaction_id: null,
      reference: null,
      line: null,
      date: short.expected_date,
    });
    expect(await read(charge!)).to.include({ status: 'settled', settlement_id: short.id });

    await stack.control.changeSettlement(paidOutAs.id, { landed_kobo: expectedKobo });
    await reconcile();
    const landed = await settlement('landed');
    expect(landed).to.include({
      id: short.id,
      landed_amount_kobo: expectedKobo,
      shortfall_kobo: 0,
      landed_at: short.landed_at,
    });
    expect((await discrepancies()).map(({ id, status }) => [id, status])).to.deep.equal([
      [found.id, 'resolved'],
    ]);
    expect(await events()).to.deep.equal([short]);
  });

  it('that is more than it adds up to is surplus', async () => {
    const { stack, paid, paidOut, reconcile, settlement, discrepancy } = store();
    await paid(200_000);
    const paidOutAs = await paidOut();
    await stack.control.changeSettlement(paidOutAs.id, {
      landed_kobo: paidOutAs.landed_kobo + 4_000,
    });
    await reconcile();
    const landed = await settlement('landed');
    const amounts = {
      expected_amount_kobo: paidOutAs.landed_kobo,
      landed_amount_kobo: paidOutAs.landed_kobo + 4_000,
      shortfall_kobo: 0,
    };
    expect(landed).to.include(amounts);
    const difference = {
      kind: 'surplus',
      settlement_id: landed.id,
      amount_kobo: 4_000,
      difference_kobo: -4_000,
      line: null,
    };
    expect(await discrepancy()).to.include(difference);
  });

  it('that was taken out for nothing we know of is a deduction_mismatch, or short where no deductions are stated', async () => {
    const { name, paid, paidOut, settlement, discrepancy } = store();
    await paid(200_000);
    const { landed_kobo: landedKobo } = await paidOut({ deduct_kobo: 70_000 });
    const short = await settlement('short');
    expect(short).to.include({
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 70_000,
      refunds_kobo: 0,
      chargebacks_kobo: 0,
    });
    const kind = name === 'monnify' ? 'short' : 'deduction_mismatch';
    expect(await discrepancy()).to.include({
      kind,
      settlement_id: short.id,
      amount_kobo: 70_000,
      difference_kobo: 70_000,
      line: null,
    });
  });

  it('that is in no payout is missing after two days of grace, and resolves itself when it comes later', async () => {
    const {
      paid,
      paidOut,
      payOut,
      pass,
      reconcile,
      settlements,
      discrepancy,
      discrepancies,
      read,
      holds,
    } = store();
    const [left, there] = await paid(300_000, 100_000);
    await paidOut({ leave_out: [left!.reference] });
    const before = await read(left!);
    expect(before).to.include({ status: 'succeeded', settled_at: null, settlement_id: null });
    expect(await read(there!)).to.include({ status: 'settled' });
    for (let day = 0; day < 2; day++) {
      await pass(DAY);
      expect(await discrepancies()).to.deep.equal([]);
    }
    await pass(DAY);
    const found = await discrepancy();
    const netKobo = 300_000 - before.fee_kobo;
    const about = { kind: 'missing', settlement_id: null, transaction_id: before.id, line: null };
    expect(found).to.include({ ...about, amount_kobo: netKobo, difference_kobo: netKobo });

    await payOut();
    await reconcile();
    const [first, second] = await settlements('landed');
    expect(await holds(first!)).to.deep.equal([there!.reference]);
    expect(await holds(second!)).to.deep.equal([left!.reference]);
    expect(await read(left!)).to.include({
      status: 'settled',
      settlement_id: second!.id,
      settled_at: second!.landed_at,
    });
    expect((await discrepancies()).map(({ id, status }) => [id, status])).to.deep.equal([
      [found.id, 'resolved'],
    ]);
  });
});
