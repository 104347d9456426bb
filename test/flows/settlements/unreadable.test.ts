import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
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
  const taskOf = async ({ stack, connectionId }: ProviderAccountFixture) => {
    const [task] = await stack.context.db.query<{
      tries: number;
      progress: object | null;
      done_at: Date;
    }>(`select * from connection_tasks where connection_id = $1 and task = 'settlements'`, [
      connectionId,
    ]);
    return task!;
  };
  const kindsOf = async ({ discrepancies }: ProviderAccountFixture, status: string) =>
    (await discrepancies(status)).map(({ kind, transaction_id: id }) => [kind, id]).sort();

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

  it('is unreadable; thirteen days later the payment in no settlement is missing, the span is bounded and rounds are an hour apart; it is read once it can be', async () => {
    const { stack, payCharges, passToPayday, passTime, payOut, readTransaction } = account();
    const [odd, clear, lost] = await payCharges(200_000, 300_000, 400_000);
    await passToPayday();
    stateIn(account(), 'USD', odd!);
    const before = await taskOf(account());
    await payOut({ leave_out: [lost!.reference] });
    for (let minutes = 0; minutes < 180; minutes += 5) await passTime(5 * MINUTE);
    const after = await taskOf(account());
    expect(after.tries - before.tries, 'rounds in three hours').to.be.within(2, 4);
    expect(after.progress).to.equal(null);

    const [unreadable, ...more] = await account().discrepancies('open');
    expect(more).to.deep.equal([]);
    const settlement = (await account().settlements()).find(({ id }) => {
      return id === unreadable!.settlement_id;
    })!;
    expect(settlement).to.include({ status: 'expected', landed_amount_kobo: null });
    expect(unreadable).to.include({ kind: 'unreadable', difference_kobo: 0 });
    expect(unreadable!.detail).to.include(odd!.reference).and.include('not in naira');
    expect(await readTransaction(clear!)).to.include({ status: 'settled' });
    expect((await stored(stack, odd!)).status).to.equal('succeeded');

    for (let day = 0; day < 13; day++) await passTime(DAY);
    const later = await taskOf(account());
    const missing = [(await readTransaction(lost!)).id];
    expect(await kindsOf(account(), 'open')).to.deep.equal([
      ['missing', ...missing],
      ['unreadable', null],
    ]);
    expect(stack.clock().getTime() - later.done_at.getTime()).to.be.below(HOUR);
    expect((await stored(stack, odd!)).status).to.equal('succeeded');

    stateIn(account(), null, odd!);
    await passTime(DAY + HOUR);
    expect(await kindsOf(account(), 'open')).to.deep.equal([['missing', ...missing]]);
    expect(await account().settlement('landed')).to.include({
      ...{ id: settlement.id, transaction_count: 2, gross_kobo: 500_000 },
    });
    expect(await readTransaction(odd!)).to.include({
      ...{ status: 'settled', settlement_id: settlement.id },
    });
    expect(await account().events()).to.have.length(1);
  });
});
