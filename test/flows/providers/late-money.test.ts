import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment after its charge has failed', (fixture) => {
  let notified: Checkout;
  let silent: Checkout;
  before(async () => {
    [notified, silent] = (await fixture.together([undefined, undefined])) as [Checkout, Checkout];
    await fixture.pass(DAY + MINUTE);
  });

  /** A slow transfer that was begun in time: it arrives though the page takes no new payment. */
  const payLate = async (charge: Checkout, notify: boolean) => {
    changePayments(fixture.stack, charge, () => ({ linkExpiresAt: null }));
    await fixture.pay(charge, { notify });
  };
  const expectRecovered = async (charge: Checkout) => {
    const { status, transaction } = await fixture.read(charge);
    expect(status).to.equal('completed');
    expect(transaction).to.include({ status: 'succeeded', recovered: true, failure_message: null });
    expect(fixture.webhooksOf(charge)).to.deep.equal([
      'charge.failed failed',
      'charge.succeeded succeeded',
    ]);
    expect(
      (await stored(fixture.stack, charge)).captures.map(({ status }) => status),
    ).to.deep.equal(['applied']);
    expect((await fixture.history(charge)).at(-1)).to.equal('charge.succeeded');
  };

  it('arrives when the charge has expired', async () => {
    for (const charge of [notified, silent]) {
      expect(await stored(fixture.stack, charge)).to.include({
        status: 'failed',
        failure_cause: 'expired',
      });
      expect(await fixture.read(charge)).to.include({ status: 'expired', transaction: null });
      expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.failed failed']);
    }
  });

  it('makes the charge succeed, marked as recovered', async () => {
    await payLate(notified, true);
    await expectRecovered(notified);
  });

  it('is found by verifying when no notification arrives', async () => {
    await payLate(silent, false);
    expect(await stored(fixture.stack, silent)).to.include({ status: 'failed' });
    await fixture.pass(HOUR + MINUTE);
    await expectRecovered(silent);
  });
});
