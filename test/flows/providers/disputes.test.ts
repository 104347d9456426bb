import { expect } from 'chai';
import { enterDispute } from '../../../domain/dispute/enter.ts';
import { keepHouse } from '../../../workers/housekeeping.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { describeForEachProvider } from './scene.ts';

describeForEachProvider('A dispute', (scene) => {
  before(() => keepHouse(scene.stack.context)); // connections get their duties
  beforeEach(() => scene.stack.context.db.query('update connection_duties set due_at = $1', [scene.stack.clock()]));

  /** How we hear of it: by notification; asked for every hour; entered by an operator, whom the provider told by e-mail. */
  const hear: Record<typeof scene.name, (charge: Checkout, state: 'open' | 'won' | 'lost') => Promise<void>> = {
    paystack: () => scene.stack.settle(),
    flutterwave: () => scene.pass(HOUR + MINUTE),
    monnify: ({ reference }, state) =>
      scene.stack.context.atomically(async (phase) => {
        const entered = { chargeNumber: Number(reference.slice(3)), state, amountKobo: null, note: null };
        return (await enterDispute(phase, entered)).jobs;
      }),
  };
  const dispute = async (charge: Checkout, state: 'open' | 'won' | 'lost') => {
    await scene.stack.control.dispute(charge.reference, state === 'open' ? undefined : state);
    await hear[scene.name](charge, state);
    await scene.stack.settle();
  };
  const disputed = async () => {
    const charge = await scene.paid();
    await dispute(charge, 'open');
    expect((await scene.read(charge)).transaction).to.include({ status: 'disputed', refunded_kobo: 0 });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded', 'charge.disputed disputed']);
    const refused = await scene.stack.api.post('/refunds', { reference: charge.reference, reason: 'To have peace' });
    expectError(refused, 409, 'invalid_state');
    return charge;
  };

  it('that is won leaves the charge as it was, told once', async () => {
    const charge = await disputed();
    await dispute(charge, 'won');
    expect((await scene.read(charge)).transaction).to.include({ status: 'succeeded', refunded_kobo: 0 });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded', 'charge.disputed disputed']);
    expect((await scene.history(charge)).slice(3)).to.deep.equal([
      ...['dispute.opened', 'charge.disputed', 'dispute.won', 'charge.succeeded'],
    ]);
  });

  it('that is lost takes the money back, told once', async () => {
    const charge = await disputed();
    const counted = await scene.counting();
    await dispute(charge, 'lost');
    expect((await scene.read(charge)).transaction).to.include({ status: 'refunded', refunded_kobo: 100_000 });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded', 'charge.disputed disputed']);
    expect((await scene.history(charge)).slice(3)).to.deep.equal([
      ...['dispute.opened', 'charge.disputed', 'dispute.lost', 'charge.refunded'],
    ]);
    expect((await stored(scene.stack, charge)).review).to.deep.equal([]);
    expect(await counted()).to.include({ refunds: 0 });
  });
});
