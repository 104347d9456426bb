import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import type { Checkout } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectRefused } from '../../support/contract.ts';
import { disputeByHand } from '../../support/provider-account.ts';
import { approvedRefund } from '../../support/refunds.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('What a provider takes back:', (fixture) => {
  const { stack, paid, read, pass, refunds, history } = fixture;
  const { expectTransaction, expectWebhooks } = fixture;

  describe('a payment that it reversed by itself,', () => {
    const reverse = async ({ reference }: Checkout) => {
      await stack.control.reverse(reference);
      await pass(90 * SECOND);
    };
    const expectRefunded = async (charge: Checkout, ...amountsKobo: number[]) => {
      await expectTransaction(charge, { status: 'refunded', refunded_kobo: 100_000 });
      expect(await refunds(charge)).to.have.members(
        amountsKobo.map((kobo) => `provider completed ${kobo}`),
      );
    };

    it('refunded in its dashboard, is known without a notification before another refund is sent: together they never exceed the payment', async () => {
      const charge = await paid();
      const counted = await fixture.counting();
      await fixture.faults({ drop_notifications: true });
      await stack.control.refundNow(charge.reference, 60_000);
      const refund = await approvedRefund(stack, charge, 50_000);
      await stack.settle();
      expect((await stack.api.get(`/refunds/${refund.id}`)).json).to.include({
        status: 'failed',
        failure_message: 'Only ₦400.00 of the payment is left; the rest has gone back already.',
      });
      expect(await refunds(charge)).to.have.members([
        'merchant failed 50000',
        'provider completed 60000',
      ]);
      await fixture.expectStored(charge, { status: 'succeeded', refunded_kobo: 60_000 });
      expect(await counted(), 'the dashboard’s own').to.include({ refunds: 1 });
      await approvedRefund(stack, charge); // of what is left
      await stack.settle();
      for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
      await fixture.expectStored(charge, { status: 'refunded', refunded_kobo: 100_000 });
      expect(await counted()).to.include({ refunds: 2 });
    });

    it('first heard of when it is reversed: the charge runs through succeeded to refunded, refund.completed is sent and charge.succeeded is not', async () => {
      const charge = await fixture.open();
      await stack.control.pay(charge.reference, { channel: 'bank_transfer', notify: false });
      await reverse(charge);
      await expectRefunded(charge, 100_000);
      expectWebhooks(charge, 'refund.completed');
      expect((await history(charge)).slice(2)).to.deep.equal([
        ...['charge.succeeded', 'refund.completed', 'charge.refunded'],
      ]);
    });

    it('paid, and reversed later: what nothing else explains is a refund of origin provider, once', async () => {
      const charge = await paid();
      await reverse(charge);
      await expectRefunded(charge, 100_000);
      await stack.control.faults({ duplicate_notifications: true });
      await read(charge);
      await pass(DAY);
      await expectRefunded(charge, 100_000);
      expectWebhooks(charge, 'charge.succeeded', 'refund.completed');
      await fixture.expectStored(charge, { review: [] });
    });

    it('paid, ₦300 refunded in the provider’s dashboard, then reversed: the other ₦700 are recorded', async () => {
      const charge = await paid();
      await stack.control.refundNow(charge.reference, 30_000);
      await pass(90 * SECOND);
      await reverse(charge);
      await expectRefunded(charge, 30_000, 70_000);
    });

    if (fixture.name !== 'flutterwave') return;

    it('paid twice, and the second payment is reversed: the charge keeps the first, and nothing is sent back', async () => {
      const charge = await paid();
      const counted = await fixture.counting();
      await stack.control.pay(charge.reference, { again: true, notify: false });
      await reverse(charge);
      await expectTransaction(charge, { refunded_kobo: 0 });
      expect(await counted()).to.include({ refunds: 0 });
      expect(await refunds(charge)).to.deep.equal(['provider completed 100000']);
      expectWebhooks(charge, 'charge.succeeded');
    });
  });

  describe('a dispute', () => {
    let won: Checkout;
    let lost: Checkout;
    let counted: () => Promise<ProviderStats>;
    before(async () => {
      await runHousekeeping(stack.context); // connections get their tasks
      [won, lost] = await fixture.together([{}, {}]);
      counted = await fixture.counting();
      for (const { reference } of [won, lost]) await stack.control.dispute(reference);
      for (const charge of [won, lost]) await report(charge, 'open');
      await stack.settle();
    });

    /**
     * Reports the dispute's state as the provider does: Paystack notifies, Flutterwave is asked every
     * hour, Monnify writes an e-mail and an operator enters it.
     */
    const report = async (charge: Checkout, state: 'open' | 'won' | 'lost') => {
      if (fixture.name === 'paystack') return pass(3 * SECOND);
      if (fixture.name === 'flutterwave') return pass(HOUR + MINUTE);
      return disputeByHand(stack, charge, state);
    };
    const decide = async (charge: Checkout, state: 'won' | 'lost') => {
      await stack.control.dispute(charge.reference, state);
      await report(charge, state);
      await stack.settle();
      expectWebhooks(charge, 'charge.succeeded', 'charge.disputed', 'dispute.closed');
    };
    const opened = ['dispute.opened', 'charge.disputed'];

    it('allows no refund while it is open, and sends one webhook', async () => {
      await expectTransaction(won, { status: 'disputed', refunded_kobo: 0 });
      expectWebhooks(won, 'charge.succeeded', 'charge.disputed');
      const { reference } = won;
      const refused = await stack.api.post('/refunds', { reference, reason: 'To have peace' });
      expectRefused(refused, 'invalid_state');
    });

    it('leaves the charge as it was when it is won', async () => {
      await decide(won, 'won');
      await expectTransaction(won, { status: 'succeeded', refunded_kobo: 0 });
      expect((await history(won)).slice(3)).to.deep.equal([
        ...[...opened, 'dispute.won', 'charge.succeeded'],
      ]);
    });

    it('refunds the charge when it is lost, and sends no refund of ours', async () => {
      await decide(lost, 'lost');
      await expectTransaction(lost, { status: 'refunded', refunded_kobo: 100_000 });
      expect((await history(lost)).slice(3)).to.deep.equal([
        ...[...opened, 'dispute.lost', 'charge.refunded'],
      ]);
      await fixture.expectStored(lost, { review: [] });
      expect(await counted()).to.include({ refunds: 0 });
    });
  });
});
