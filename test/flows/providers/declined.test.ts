import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './scene.ts';

/** What each provider says of a payment its payer was refused. */
const words = {
  paystack: 'Declined',
  flutterwave: 'Declined by the bank',
  monnify: 'The payment was declined.',
};

describeForEachProvider('A payment that is declined', (scene) => {
  const declined = async () => {
    const charge = await scene.open();
    await scene.pay(charge, { outcome: 'failed' });
    await scene.pass(6 * SECOND);
    return charge;
  };
  const expectFailed = async (charge: Awaited<ReturnType<typeof declined>>) => {
    expect(await stored(scene.stack, charge)).to.include({
      status: 'failed',
      failure_cause: 'declined',
    });
    const { json } = await scene.stack.api.get(
      `/transactions/${(await stored(scene.stack, charge)).id}`,
    );
    expect(json).to.include({ status: 'failed', failure_message: words[scene.name] });
    expect(await scene.read(charge)).to.include({ status: 'failed', transaction: null });
    expect(scene.told(charge)).to.deep.equal(['charge.failed failed']);
    expect((await scene.history(charge)).slice(-2)).to.deep.equal([
      'attempt.declined',
      'charge.failed',
    ]);
  };

  if (scene.name !== 'flutterwave') {
    it('fails the charge at once, in the provider’s words: its page takes no other try', async () => {
      await expectFailed(await declined());
    });
    return;
  }

  it('may be tried again while its link lives, and fails the charge when that ends', async () => {
    const charge = await declined();
    expect(await stored(scene.stack, charge)).to.include({
      status: 'pending',
      failure_message: null,
    });
    expect(await scene.read(charge)).to.include({ status: 'open' });
    expect(scene.told(charge)).to.deep.equal([]);
    await scene.pass(DAY + MINUTE);
    await expectFailed(charge);
  });

  it('is paid at the second try, under the same link', async () => {
    const counted = await scene.counting();
    const charge = await declined();
    const link = await scene.visit(charge);
    await scene.pay(charge);
    expect(await scene.read(charge)).to.include({ status: 'completed' });
    expect(await scene.attempts(charge)).to.deep.equal(['captured']);
    expect((await stored(scene.stack, charge)).attempts[0]!.url).to.equal(link);
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
    expect(await counted()).to.include({ creates: 1, captures: 1 });
  });
});
