import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { disputeByHand } from '../../support/provider-account.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A dispute', (fixture) => {
  let won: Checkout;
  let lost: Checkout;
  let counted: () => Promise<ProviderStats>;
  before(async () => {
    await runHousekeeping(fixture.stack.context); // connections get their tasks
    [won, lost] = (await fixture.together([{}, {}])) as [Checkout, Checkout];
    counted = await fixture.counting();
    for (const { reference } of [won, lost]) await fixture.stack.control.dispute(reference);
    for (const charge of [won, lost]) await report(charge, 'open');
    await fixture.stack.settle();
  });

  /**
   * Reports the dispute's state as the provider does: Paystack notifies, Flutterwave is asked every
   * hour, Monnify writes an e-mail and an operator enters it.
   */
  const report = async ({ reference }: Checkout, state: 'open' | 'won' | 'lost') => {
    if (fixture.name === 'paystack') return fixture.pass(3 * SECOND);
    if (fixture.name === 'flutterwave') return fixture.pass(HOUR + MINUTE);
    return disputeByHand(fixture.stack, { reference }, state);
  };
  const decide = async (charge: Checkout, state: 'won' | 'lost') => {
    await fixture.stack.control.dispute(charge.reference, state);
    await report(charge, state);
    await fixture.stack.settle();
  };
  const webhooks = ['charge.succeeded succeeded', 'charge.disputed disputed'];

  it('allows no refund while it is open, and sends one webhook', async () => {
    expect((await fixture.read(won)).transaction).to.include({
      status: 'disputed',
      refunded_kobo: 0,
    });
    expect(fixture.webhooksOf(won)).to.deep.equal(webhooks);
    const refused = await fixture.stack.api.post('/refunds', {
      reference: won.reference,
      reason: 'To have peace',
    });
    expectError(refused, 409, 'invalid_state');
  });

  it('leaves the charge as it was when it is won', async () => {
    await decide(won, 'won');
    expect((await fixture.read(won)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(fixture.webhooksOf(won)).to.deep.equal(webhooks);
    expect((await fixture.history(won)).slice(3)).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.won',
      'charge.succeeded',
    ]);
  });

  it('refunds the charge when it is lost, and sends no refund of ours', async () => {
    await decide(lost, 'lost');
    expect((await fixture.read(lost)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(fixture.webhooksOf(lost)).to.deep.equal(webhooks);
    expect((await fixture.history(lost)).slice(3)).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.lost',
      'charge.refunded',
    ]);
    expect((await stored(fixture.stack, lost)).review).to.deep.equal([]);
    expect(await counted()).to.include({ refunds: 0 });
  });
});
