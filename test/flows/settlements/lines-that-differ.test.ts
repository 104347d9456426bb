import { expect } from 'chai';
import { memberOf } from '../../support/members.ts';
import type { Json } from '../../support/store.ts';
import { describeStores } from './describe-stores.ts';

describeStores('A line of a payout', (store) => {
  /** Two charges, of which the first is stated otherwise, with what became of it. */
  const told = async (off: 'amount_off_kobo' | 'fee_off_kobo', kobo: number) => {
    const { paid, paidOut, read, settlements } = store();
    const [odd, even] = await paid(200_000, 100_000);
    const before = await read(odd!);
    const paidOutAs = await paidOut({ [off]: [{ reference: odd!.reference, kobo }] });
    const [settlement] = await settlements();
    expect(settlement!.landed_amount_kobo).to.equal(paidOutAs.landed_kobo);
    for (const charge of [odd!, even!]) {
      expect(await read(charge)).to.include({
        status: 'settled',
        settlement_id: settlement!.id,
        amount_kobo: charge === odd ? 200_000 : 100_000,
      });
    }
    return { settlement: settlement!, before, after: await read(odd!), charge: odd! };
  };
  const expectLine = async ({ settlement, before }: { settlement: Json; before: Json }, line: Json, expected: Json) => {
    const found = await store().discrepancy();
    expect(found).to.include({ status: 'open', settlement_id: settlement.id, transaction_id: before.id, ...expected });
    expect(found.line).to.deep.equal({ provider_reference: before.provider_reference, reference: found.reference, ...line });
    expect(found.reference).to.match(new RegExp(`^${before.reference}-[0-9a-z]{8}$`));
  };

  it('that states less than was paid is an amount_mismatch, and the payout is short by it', async () => {
    const story = await told('amount_off_kobo', -30_000);
    const { settlement, before, after } = story;
    expect(settlement).to.include({ status: 'short', shortfall_kobo: 30_000, gross_kobo: 300_000 });
    expect(settlement.expected_amount_kobo - settlement.landed_amount_kobo).to.equal(30_000);
    const line = { amount_kobo: 170_000, fee_kobo: before.fee_kobo };
    await expectLine(story, line, { kind: 'amount_mismatch', amount_kobo: 30_000, difference_kobo: 30_000 });
    expect(after.fee_kobo).to.equal(before.fee_kobo);
  });

  it('that states more than was paid is one too, and makes up for nothing else', async () => {
    const story = await told('amount_off_kobo', 30_000);
    expect(story.settlement).to.include({ status: 'landed', shortfall_kobo: 0, gross_kobo: 300_000 });
    const line = { amount_kobo: 230_000, fee_kobo: story.before.fee_kobo };
    await expectLine(story, line, { kind: 'amount_mismatch', amount_kobo: 30_000, difference_kobo: -30_000 });
  });

  it('that takes a higher fee is a fee_mismatch; the charge shows the fee that was taken', async () => {
    const story = await told('fee_off_kobo', 2_500);
    const { settlement, before, after } = story;
    expect(settlement).to.include({ status: 'short', shortfall_kobo: 2_500 });
    const line = { amount_kobo: 200_000, fee_kobo: before.fee_kobo + 2_500 };
    await expectLine(story, line, { kind: 'fee_mismatch', amount_kobo: 2_500, difference_kobo: 2_500 });
    expect(after.fee_kobo).to.equal(before.fee_kobo + 2_500);
  });

  it('that takes a lower fee is one too', async () => {
    const story = await told('fee_off_kobo', -500);
    expect(story.settlement).to.include({ status: 'landed', shortfall_kobo: 0 });
    const line = { amount_kobo: 200_000, fee_kobo: story.before.fee_kobo - 500 };
    await expectLine(story, line, { kind: 'fee_mismatch', amount_kobo: 500, difference_kobo: -500 });
  });

  it('that a person closes stays closed, however often the payout is looked at again', async () => {
    const { reconcile, discrepancy, discrepancies, stack } = store();
    await told('fee_off_kobo', 2_500);
    const { id } = await discrepancy();
    const { token: key } = await memberOf(stack, stack.tenant, 'owner');
    const closed = await stack.api.post(`/discrepancies/${id}/close`, { reason: 'Agreed with the provider' }, { key });
    expect(closed.status, closed.text).to.equal(200);
    for (let hour = 0; hour < 2; hour++) await reconcile();
    expect((await discrepancies()).map(({ status, id: each }) => [status, each])).to.deep.equal([['closed', id]]);
  });
});
