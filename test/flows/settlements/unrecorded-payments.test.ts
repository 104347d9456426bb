import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A payment without a notification', (account) => {
  it('is found by the nightly audit, and its charge succeeds', async () => {
    const { stack, payUnnotified, passNight, readTransaction, discrepancies } = account();
    const [charge] = await payUnnotified(200_000);
    await stack.context.db.query('update attempts set due_at = null'); // as if every check were lost
    await passNight();
    expect((await stored(stack, charge!)).status).to.equal('succeeded');
    await passNight();
    const found = (await discrepancies()).map(({ kind, status, transaction_id: id }) => [
      kind,
      status,
      id,
    ]);
    expect(found).to.deep.equal([
      ['never_notified', 'resolved', (await readTransaction(charge!)).id],
    ]);
  });
});

describeSettlements('A payment that its provider reversed without telling us', (account) => {
  it('is found by the nightly audit: its charge is refunded by a refund of the provider', async () => {
    const { stack, payCharges, passNight, readTransaction } = account();
    const [charge, kept] = await payCharges(300_000, 100_000);
    await stack.control.reverse(charge!.reference, { notify: false });
    await stack.context.db.query('update attempts set due_at = null'); // no check of its own is left
    await passNight();
    expect((await stored(stack, charge!)).status).to.equal('refunded');
    expect(await readTransaction(charge!)).to.include({ refunded_kobo: 300_000 });
    expect((await stored(stack, kept!)).status).to.equal('succeeded');
  });
});
