import { expect } from 'chai';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { openTill, type Till } from './till.ts';

describe('Reconciling a payout', () => {
  let ledger: Ledger;
  let till: Till;
  beforeEach(async () => {
    ledger = await openLedger();
    till = await openTill(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  it('settles its charges, and says what it came to', async () => {
    const [one, two] = [await till.pay(), await till.pay({ amountKobo: 600_000, feeKobo: 19_000 })];
    ledger.clock.advance(DAY);
    till.payOut([one, two]);
    await till.reconcile();
    const [settlement] = await till.settlements();
    const amounts = {
      expected_amount_kobo: 1_063_500,
      landed_amount_kobo: 1_063_500,
      gross_kobo: 1_100_000,
      fee_kobo: 36_500,
    };
    expect(settlement).to.include({ status: 'landed', transaction_count: 2, ...amounts });
    expect(await till.charge(one)).to.include({
      status: 'settled',
      settlement_id: settlement.id,
      fee_kobo: 17_500,
    });
    expect(await till.discrepancies()).to.deep.equal([]);
  });

  it('weighs a payout anew when a payment it holds has grown since, or its fee is stated at last', async () => {
    const [grown, unstated] = [await till.pay(), await till.pay({ feeKobo: null })];
    ledger.clock.advance(DAY);
    till.payOut([grown, unstated], { amountKobo: 982_500 });
    await till.reconcile();
    expect(await till.discrepancies()).to.deep.equal([]);
    grown.capture.amountKobo = 600_000;
    unstated.capture.feeKobo = 9_000;
    await till.hear(grown);
    await till.hear(unstated);
    await till.reconcile();
    const [settlement] = await till.settlements();
    expect(settlement).to.include({
      expected_amount_kobo: 1_073_500,
      landed_amount_kobo: 982_500,
      status: 'short',
    });
    const found = (await till.discrepancies())
      .map(({ kind, difference_kobo }) => [kind, difference_kobo])
      .sort();
    expect(found).to.deep.equal([
      ['amount_mismatch', 100_000],
      ['surplus', -9_000],
    ]);
  });
});
