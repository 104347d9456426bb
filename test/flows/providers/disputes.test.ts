import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import type { Checkout } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectRefused } from '../../support/contract.ts';
import { disputeByHand } from '../../support/provider-account.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A dispute', (fixture) => {
  const { stack, expectTransaction, expectWebhooks, history } = fixture;
  let won: Checkout;
  let lost: Checkout;
  let counted: () => Promise<ProviderStats>;
  before(async () => {
    await runHousekeeping(stack.context); // connections get their tasks
    [won, lost] = await fixture.together([{}, {}]);
    counted = await fixture.counting();
    for (const { reference } of [won, lost]) await stack.control.dispute(reference);
    for (const charge of [won, lost]) await report(charge, 'open');
    await stack.settle();
  });

  /**
   * Reports the dispute's state as the provider does: Paystack notifies, Flutterwave is asked every
   * hour, Monnify writes an e-mail and an operator enters it.
   */
  const report = async (charge: Checkout, state: 'open' | 'won' | 'lost') => {
    if (fixture.name === 'paystack') return stack.pass(3 * SECOND);
    if (fixture.name === 'flutterwave') return stack.pass(HOUR + MINUTE);
    return disputeByHand(stack, charge, state);
  };
  const decide = async (charge: Checkout, state: 'won' | 'lost') => {
    await stack.control.dispute(charge.reference, state);
    await report(charge, state);
    await stack.settle();
    expectWebhooks(charge, 'charge.succeeded', 'charge.disputed');
  };
  const opened = ['dispute.opened', 'charge.disputed'];

  it('allows no refund while it is open, and sends one webhook', async () => {
    await expectTransaction(won, { status: 'disputed', refunded_kobo: 0 });
    expectWebhooks(won, 'charge.succeeded', 'charge.disputed');
    const { reference } = won;
    const refused = await stack.api.post('/refunds', { reference, reason: 'To have peace' });
    expectRefused(refused, 'invalid_state');
  });

  it('leaves the charge as it was when it is won', async () => {
    await decide(won, 'won');
    await expectTransaction(won, { status: 'succeeded', refunded_kobo: 0 });
    expect((await history(won)).slice(3)).to.deep.equal([
      ...[...opened, 'dispute.won', 'charge.succeeded'],
    ]);
  });

  it('refunds the charge when it is lost, and sends no refund of ours', async () => {
    await decide(lost, 'lost');
    await expectTransaction(lost, { status: 'refunded', refunded_kobo: 100_000 });
    expect((await history(lost)).slice(3)).to.deep.equal([
      ...[...opened, 'dispute.lost', 'charge.refunded'],
    ]);
    await fixture.expectStored(lost, { review: [] });
    expect(await counted()).to.include({ refunds: 0 });
  });
});
