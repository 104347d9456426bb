import { expect } from 'chai';
import type { Json } from '../../support/provider-account.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A line of a settlement', (account) => {
  it('that states another amount, or another fee, is a mismatch of its own; together they make the whole difference', async () => {
    const { payCharges, payOutAndReconcile, readTransaction, settlement, discrepancies } =
      account();
    const charges = await payCharges(200_000, 210_000, 220_000, 230_000, 100_000);
    const [less, more, dearer, cheaper, even] = charges.map(({ reference }) => reference) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const before = await Promise.all(charges.map(readTransaction));
    const paidOutAs = await payOutAndReconcile({
      amount_off_kobo: [
        { reference: less, kobo: -30_000 },
        { reference: more, kobo: 20_000 },
      ],
      fee_off_kobo: [
        { reference: dearer, kobo: 2_500 },
        { reference: cheaper, kobo: -500 },
      ],
    });
    const short = await settlement('short');
    const amounts = {
      gross_kobo: 960_000,
      landed_amount_kobo: paidOutAs.landed_kobo,
      transaction_count: 5,
    };
    expect(short).to.include({
      ...amounts,
      expected_amount_kobo: paidOutAs.landed_kobo + 12_000,
      shortfall_kobo: 12_000,
    });

    const after = await Promise.all(charges.map(readTransaction));
    for (const [index, { reference, amount_kobo: amountKobo }] of before.entries()) {
      expect(after[index]).to.include({
        reference,
        status: 'settled',
        settlement_id: short.id,
        amount_kobo: amountKobo,
      });
    }
    const feesMoved = after.map(
      ({ fee_kobo: feeKobo }, index) => feeKobo - before[index]!.fee_kobo,
    );
    expect(feesMoved, 'a charge shows the fee that was taken').to.deep.equal([
      0, 0, 2_500, -500, 0,
    ]);

    const found = await discrepancies();
    const of = (reference: string) =>
      found.filter(({ reference: own }) => own.startsWith(`${reference}-`));
    const expectMismatch = (index: number, kind: string, difference: number, line: Json) => {
      const { id, reference, provider_reference, fee_kobo } = before[index]!;
      const [one, ...others] = of(reference);
      expect(others).to.deep.equal([]);
      const about = {
        kind,
        status: 'open',
        settlement_id: short.id,
        transaction_id: id,
        date: short.expected_date,
      };
      expect(one).to.include({
        ...about,
        amount_kobo: Math.abs(difference),
        difference_kobo: difference,
      });
      expect(one!.line).to.deep.equal({
        provider_reference,
        reference: one!.reference,
        fee_kobo,
        ...line,
      });
    };
    expectMismatch(0, 'amount_mismatch', 30_000, { amount_kobo: 170_000 });
    expectMismatch(1, 'amount_mismatch', -20_000, { amount_kobo: 230_000 });
    expectMismatch(2, 'fee_mismatch', 2_500, {
      amount_kobo: 220_000,
      fee_kobo: before[2]!.fee_kobo + 2_500,
    });
    expectMismatch(3, 'fee_mismatch', -500, {
      amount_kobo: 230_000,
      fee_kobo: before[3]!.fee_kobo - 500,
    });
    expect(of(even)).to.deep.equal([]);
  });
});
