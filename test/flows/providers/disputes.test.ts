import { expect } from 'chai';
import { enterDispute } from '../../../domain/payments/enter-dispute.ts';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
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
    for (const charge of [won, lost]) await hear(charge, 'open');
    await fixture.stack.settle();
  });

  /** By notification; asked for every hour; entered by an operator, whom the provider told by e-mail. */
  const hear = async ({ reference }: Checkout, state: 'open' | 'won' | 'lost') => {
    if (fixture.name === 'paystack') return fixture.pass(3 * SECOND);
    if (fixture.name === 'flutterwave') return fixture.pass(HOUR + MINUTE);
    const entered = {
      chargeNumber: Number(reference.slice(3)),
      state,
      amountKobo: null,
      note: null,
    };
    return fixture.stack.context.inTx(async (tx) => (await enterDispute(tx, entered)).jobs);
  };
  const decide = async (charge: Checkout, state: 'won' | 'lost') => {
    await fixture.stack.control.dispute(charge.reference, state);
    await hear(charge, state);
    await fixture.stack.settle();
  };
  const news = ['charge.succeeded succeeded', 'charge.disputed disputed'];

  it('that is open holds the money, told once: no refund of it', async () => {
    expect((await fixture.read(won)).transaction).to.include({
      status: 'disputed',
      refunded_kobo: 0,
    });
    expect(fixture.told(won)).to.deep.equal(news);
    const refused = await fixture.stack.api.post('/refunds', {
      reference: won.reference,
      reason: 'To have peace',
    });
    expectError(refused, 409, 'invalid_state');
  });

  it('that is won leaves the charge as it was', async () => {
    await decide(won, 'won');
    expect((await fixture.read(won)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(fixture.told(won)).to.deep.equal(news);
    expect((await fixture.history(won)).slice(3)).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.won',
      'charge.succeeded',
    ]);
  });

  it('that is lost takes the money back, and nothing is sent back besides', async () => {
    await decide(lost, 'lost');
    expect((await fixture.read(lost)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(fixture.told(lost)).to.deep.equal(news);
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
