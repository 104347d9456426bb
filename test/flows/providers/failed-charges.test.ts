import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { changePayments } from '../../support/sandbox-store.ts';
import { describeForEachProvider } from './fixture.ts';

const words = {
  paystack: 'Declined',
  flutterwave: 'Declined by the bank',
  monnify: 'The payment was declined.',
};

describeForEachProvider('A charge', (fixture) => {
  const { stack, name, open, pay, pass, read, expectStored, expectWebhooks } = fixture;

  describe('whose payment is declined', () => {
    const declined = async () => {
      const charge = await open();
      await pay(charge, { outcome: 'failed' });
      await pass(11 * SECOND);
      return charge;
    };
    const expectFailed = async (charge: Checkout) => {
      await expectStored(charge, { status: 'failed', failure_cause: 'declined' });
      const { id } = await stored(stack, charge);
      const { json } = await stack.api.get(`/transactions/${id}`);
      expect(json).to.include({ status: 'failed', failure_message: words[name] });
      expect(await read(charge)).to.include({ status: 'failed', transaction: null });
      expectWebhooks(charge, 'charge.failed');
      const history = await fixture.history(charge);
      expect(history.slice(-2)).to.deep.equal(['attempt.declined', 'charge.failed']);
    };

    if (name !== 'flutterwave') {
      it('fails the charge at once with the provider’s message, because its page takes no second try', async () => {
        await expectFailed(await declined());
      });
      return;
    }

    it('may be tried again while its link is valid, and fails the charge when the link ends', async () => {
      const charge = await declined();
      await expectStored(charge, { status: 'pending', failure_message: null });
      expect(await read(charge)).to.include({ status: 'open' });
      expectWebhooks(charge);
      await pass(DAY + MINUTE);
      await expectFailed(charge);
    });

    it('completes the charge at the second try, at the same link', async () => {
      const counted = await fixture.counting();
      const charge = await declined();
      const link = await fixture.visit(charge);
      await pay(charge);
      expect(await read(charge)).to.include({ status: 'completed' });
      expect(await fixture.attempts(charge)).to.deep.equal(['captured']);
      expect((await stored(stack, charge)).attempts[0]!.url).to.equal(link);
      expectWebhooks(charge, 'charge.succeeded');
      expect(await counted()).to.include({ creates: 1, captures: 1 });
    });
  });

  describe('that is paid after it has failed', () => {
    let notified: Checkout;
    let silent: Checkout;
    before(async () => {
      [notified, silent] = await fixture.together([undefined, undefined]);
      await pass(DAY + MINUTE);
    });

    /** A slow transfer that was begun in time: it arrives though the page takes no new payment. */
    const payLate = async (charge: Checkout, notify: boolean) => {
      changePayments(stack, charge, () => ({ linkExpiresAt: null }));
      await pay(charge, { notify });
    };
    const expectRecovered = async (charge: Checkout) => {
      const { status, transaction } = await read(charge);
      expect(status).to.equal('completed');
      expect(transaction).to.include({
        status: 'succeeded',
        recovered: true,
        failure_message: null,
      });
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
});
