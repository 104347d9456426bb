import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { describeForEachProvider, type Scene } from './scene.ts';

/** What the service sends back by itself: seen at the provider, and no news for the merchant. */
const expectSentBack = async (scene: Scene, charge: { reference: string }, kobo: number) => {
  await scene.pass(3 * SECOND);
  const refunds = await scene.refunds(charge);
  expect(refunds.map(({ origin, status, amount_kobo: amount }) => [origin, status, amount])).to.deep.equal([['system', 'completed', kobo]]);
  const [seen] = await scene.stack.context.db.query<Record<string, unknown>>(
    `select r.amount_kobo, r.status from sandbox.refund r join sandbox.payment p on p.id = payment_id where p.reference like $1`,
    [`${charge.reference}-%`],
  );
  expect(seen).to.deep.equal({ amount_kobo: kobo, status: 'completed' });
  expect(await stored(scene.stack, charge)).to.deep.include({ refunded_kobo: 0, review: [] });
};

describeForEachProvider('A payment of the wrong amount', (scene) => {
  const paidInstead = async (amountKobo: number) => {
    const charge = await scene.open();
    await scene.pay(charge, { amount_kobo: amountKobo });
    await scene.pass(6 * SECOND);
    return charge;
  };

  it('that is too little waits for a person; accepted, it is the charge’s', async () => {
    const counted = await scene.counting();
    const charge = await paidInstead(60_000);
    expect(await stored(scene.stack, charge)).to.deep.include({ status: 'pending', review: ['underpaid'] });
    await scene.pass(DAY + MINUTE);
    expect(await stored(scene.stack, charge), 'past its end').to.include({ status: 'pending' });
    expect(scene.told(charge)).to.deep.equal([]);
    expect(await scene.decide(charge, 'accept')).to.include({ reason: 'underpaid', status: 'accepted', amount_kobo: 60_000 });
    const { transaction } = await scene.read(charge);
    expect(transaction).to.include({ status: 'succeeded', amount_kobo: 100_000, provider: scene.slot });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
    expect(await counted()).to.include({ creates: 1, captures: 1, refunds: 0 });
  });

  it('that is too little, returned, goes back, and the charge can still be paid or expire', async () => {
    const counted = await scene.counting();
    const charge = await paidInstead(60_000);
    expect(await scene.decide(charge, 'return')).to.include({ reason: 'underpaid', status: 'returned' });
    await expectSentBack(scene, charge, 60_000);
    await scene.pass(DAY + MINUTE);
    expect(await stored(scene.stack, charge)).to.include({ status: 'failed', failure_cause: 'expired' });
    expect(scene.told(charge)).to.deep.equal(['charge.failed failed']);
    expect(await counted()).to.include({ captures: 1, refunds: 1 });
  });

  it('that is too much completes the charge; its excess, returned, goes back alone', async () => {
    const counted = await scene.counting();
    const charge = await paidInstead(150_000);
    expect(await stored(scene.stack, charge)).to.deep.include({ status: 'succeeded', review: ['overpaid'], amount_kobo: 100_000 });
    expect(await scene.decide(charge, 'return')).to.include({ reason: 'overpaid', status: 'returned', amount_kobo: 50_000 });
    await expectSentBack(scene, charge, 50_000);
    expect((await scene.read(charge)).transaction).to.include({ status: 'succeeded', refunded_kobo: 0 });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
    expect(await counted()).to.include({ captures: 1, refunds: 1 });
  });
});
