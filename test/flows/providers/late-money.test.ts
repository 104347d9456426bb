import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment after its charge has failed', (fixture) => {
  const { stack, pass, read, expectStored, expectWebhooks } = fixture;
  let notified: Checkout;
  let silent: Checkout;
  before(async () => {
    [notified, silent] = await fixture.together([undefined, undefined]);
    await pass(DAY + MINUTE);
  });

  /** A slow transfer that was begun in time: it arrives though the page takes no new payment. */
  const payLate = async (charge: Checkout, notify: boolean) => {
    changePayments(stack, charge, () => ({ linkExpiresAt: null }));
    await fixture.pay(charge, { notify });
  };
  const expectRecovered = async (charge: Checkout) => {
    const { status, transaction } = await read(charge);
    expect(status).to.equal('completed');
    expect(transaction).to.include({ status: 'succeeded', recovered: true, failure_message: null });
    expectWebhooks(charge, 'charge.failed', 'charge.succeeded');
    const { captures } = await stored(stack, charge);
    expect(captures.map((capture) => capture.status)).to.deep.equal(['applied']);
    expect((await fixture.history(charge)).at(-1)).to.equal('charge.succeeded');
  };

  it('arrives when the charge has expired', async () => {
    for (const charge of [notified, silent]) {
      await expectStored(charge, { status: 'failed', failure_cause: 'expired' });
      expect(await read(charge)).to.include({ status: 'expired', transaction: null });
      expectWebhooks(charge, 'charge.failed');
    }
  });

  it('makes the charge succeed, marked as recovered', async () => {
    await payLate(notified, true);
    await expectRecovered(notified);
  });

  it('is found by verifying when no notification arrives', async () => {
    await payLate(silent, false);
    await expectStored(silent, { status: 'failed' });
    await pass(HOUR + MINUTE);
    await expectRecovered(silent);
  });
});
