import { expect } from 'chai';
import type { ProviderAccountFixture } from '../../support/provider-account.ts';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A settlement with a line in another currency', (account) => {
  /** What the lines of these payments state from now on; null: naira, as they were paid. */
  const stateIn = (
    { stack }: ProviderAccountFixture,
    currency: string | null,
    of: { reference: string },
  ) => changePayments(stack, of, () => ({ lineCurrency: currency }));
  it('of the merchant’s other business is read as any other, and counts with no amount', async () => {
    const { stack, payCharges, passToPayday, payOut, reconcile, settlement, readTransaction } =
      account();
    const [charge] = await payCharges(200_000);
    await passToPayday();
    const foreign = `INV-${account().accountId}`;
    const { id, landed_kobo: landedKobo } = await payOut({
      ...{ status: 'pending', foreign: [{ reference: foreign, amount_kobo: 90_000 }] },
    });
    stateIn(account(), 'USD', { reference: foreign });
    await stack.control.changeSettlement(id, { status: 'landed' });
    await reconcile();
    const landed = await settlement('landed');
    expect(landed).to.include({ transaction_count: 1, foreign_count: 1, foreign_kobo: 0 });
    expect(await readTransaction(charge!)).to.include({
      ...{ status: 'settled', settlement_id: landed.id },
    });
    const [surplus, ...more] = await account().discrepancies('open');
    expect(more).to.deep.equal([]);
    expect(surplus, 'what the bank received for it is left to a person').to.include({
      kind: 'surplus',
      difference_kobo: landed.expected_amount_kobo - landedKobo,
    });
  });
});
