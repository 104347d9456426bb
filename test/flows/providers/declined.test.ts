import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

const words = {
  paystack: 'Declined',
  flutterwave: 'Declined by the bank',
  monnify: 'The payment was declined.',
};

describeForEachProvider('A payment that is declined', (fixture) => {
  const declined = async () => {
    const charge = await fixture.open();
    await fixture.pay(charge, { outcome: 'failed' });
    await fixture.pass(11 * SECOND);
    return charge;
  };
  const expectFailed = async (charge: Awaited<ReturnType<typeof declined>>) => {
    expect(await stored(fixture.stack, charge)).to.include({
      status: 'failed',
      failure_cause: 'declined',
    });
    const { json } = await fixture.stack.api.get(
      `/transactions/${(await stored(fixture.stack, charge)).id}`,
    );
    expect(json).to.include({ status: 'failed', failure_message: words[fixture.name] });
    expect(await fixture.read(charge)).to.include({ status: 'failed', transaction: null });
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.failed failed']);
    expect((await fixture.history(charge)).slice(-2)).to.deep.equal([
      'attempt.declined',
      'charge.failed',
    ]);
  };

  if (fixture.name !== 'flutterwave') {
    it('fails the charge at once with the provider’s message, because its page takes no second try', async () => {
      await expectFailed(await declined());
    });
    return;
  }

  it('may be tried again while its link is valid, and fails the charge when the link ends', async () => {
    const charge = await declined();
    expect(await stored(fixture.stack, charge)).to.include({
      status: 'pending',
      failure_message: null,
    });
    expect(await fixture.read(charge)).to.include({ status: 'open' });
    expect(fixture.webhooksOf(charge)).to.deep.equal([]);
    await fixture.pass(DAY + MINUTE);
    await expectFailed(charge);
  });

  it('completes the charge at the second try, at the same link', async () => {
    const counted = await fixture.counting();
    const charge = await declined();
    const link = await fixture.visit(charge);
    await fixture.pay(charge);
    expect(await fixture.read(charge)).to.include({ status: 'completed' });
    expect(await fixture.attempts(charge)).to.deep.equal(['captured']);
    expect((await stored(fixture.stack, charge)).attempts[0]!.url).to.equal(link);
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
    expect(await counted()).to.include({ creates: 1, captures: 1 });
  });
});
