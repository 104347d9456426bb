import { expect } from 'chai';
import { enterDispute } from '../../../domain/payments/dispute/enter.ts';
import { keepHouse } from '../../../workers/housekeeping.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { describeForEachProvider } from './scene.ts';

describeForEachProvider('A dispute', (scene) => {
  let won: Checkout;
  let lost: Checkout;
  let counted: () => Promise<ProviderStats>;
  before(async () => {
    await keepHouse(scene.stack.context); // connections get their tasks
    [won, lost] = (await scene.together([{}, {}])) as [Checkout, Checkout];
    counted = await scene.counting();
    for (const { reference } of [won, lost]) await scene.stack.control.dispute(reference);
    for (const charge of [won, lost]) await hear(charge, 'open');
    await scene.stack.settle();
  });

  /** By notification; asked for every hour; entered by an operator, whom the provider told by e-mail. */
  const hear = async ({ reference }: Checkout, state: 'open' | 'won' | 'lost') => {
    if (scene.name === 'paystack') return scene.pass(3 * SECOND);
    if (scene.name === 'flutterwave') return scene.pass(HOUR + MINUTE);
    const entered = {
      chargeNumber: Number(reference.slice(3)),
      state,
      amountKobo: null,
      note: null,
    };
    return scene.stack.context.inTx(async (tx) => (await enterDispute(tx, entered)).jobs);
  };
  const decide = async (charge: Checkout, state: 'won' | 'lost') => {
    await scene.stack.control.dispute(charge.reference, state);
    await hear(charge, state);
    await scene.stack.settle();
  };
  const news = ['charge.succeeded succeeded', 'charge.disputed disputed'];

  it('that is open holds the money, told once: no refund of it', async () => {
    expect((await scene.read(won)).transaction).to.include({
      status: 'disputed',
      refunded_kobo: 0,
    });
    expect(scene.told(won)).to.deep.equal(news);
    const refused = await scene.stack.api.post('/refunds', {
      reference: won.reference,
      reason: 'To have peace',
    });
    expectError(refused, 409, 'invalid_state');
  });

  it('that is won leaves the charge as it was', async () => {
    await decide(won, 'won');
    expect((await scene.read(won)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(scene.told(won)).to.deep.equal(news);
    expect((await scene.history(won)).slice(3)).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.won',
      'charge.succeeded',
    ]);
  });

  it('that is lost takes the money back, and nothing is sent back besides', async () => {
    await decide(lost, 'lost');
    expect((await scene.read(lost)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(scene.told(lost)).to.deep.equal(news);
    expect((await scene.history(lost)).slice(3)).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.lost',
      'charge.refunded',
    ]);
    expect((await stored(scene.stack, lost)).review).to.deep.equal([]);
    expect(await counted()).to.include({ refunds: 0 });
  });
});
