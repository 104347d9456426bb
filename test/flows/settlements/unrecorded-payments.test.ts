import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('The nightly audit', (account) => {
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
