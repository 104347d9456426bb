import { expect } from 'chai';
import { DAY } from '../../support/clock.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('Money of a settlement', (account) => {
  it('that did not reach the bank is short; once it is topped up the discrepancy resolves', async () => {
    const { stack, payCharges, payOutAndReconcile, reconcile, settlement } = account();
    const { discrepancy, discrepancies, readTransaction, events } = account();
    const [charge] = await payCharges(200_000);
    const paidOutAs = await payOutAndReconcile({ short_by_kobo: 60_000 });
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
    expect(await readTransaction(charge!)).to.include({
      status: 'settled',
      settlement_id: short.id,
    });

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

  it('that was taken out for no refund on record is a deduction_mismatch, or short where no deductions are stated', async () => {
    const { name, payCharges, payOutAndReconcile, settlement, discrepancy } = account();
    await payCharges(200_000);
    const { landed_kobo: landedKobo } = await payOutAndReconcile({ deduct_kobo: 70_000 });
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

  it('of a payment in no settlement is missing after two days of grace, and resolves when it comes later', async () => {
    const { payCharges, payOutAndReconcile, payOut, passTime, reconcile } = account();
    const { settlements, discrepancy, discrepancies, readTransaction, referencesOf } = account();
    const [left, there] = await payCharges(300_000, 100_000);
    await payOutAndReconcile({ leave_out: [left!.reference] });
    const before = await readTransaction(left!);
    expect(before).to.include({ status: 'succeeded', settled_at: null, settlement_id: null });
    expect(await readTransaction(there!)).to.include({ status: 'settled' });
    for (let day = 0; day < 2; day++) {
      await passTime(DAY);
      expect(await discrepancies()).to.deep.equal([]);
    }
    await passTime(DAY);
    const found = await discrepancy();
    const netKobo = 300_000 - before.fee_kobo;
    const about = { kind: 'missing', settlement_id: null, transaction_id: before.id, line: null };
    expect(found).to.include({ ...about, amount_kobo: netKobo, difference_kobo: netKobo });

    await payOut();
    await reconcile();
    const [first, second] = await settlements('landed');
    expect(await referencesOf(first!)).to.deep.equal([there!.reference]);
    expect(await referencesOf(second!)).to.deep.equal([left!.reference]);
    expect(await readTransaction(left!)).to.include({
      status: 'settled',
      settlement_id: second!.id,
      settled_at: second!.landed_at,
    });
    expect((await discrepancies()).map(({ id, status }) => [id, status])).to.deep.equal([
      [found.id, 'resolved'],
    ]);
  });
});
