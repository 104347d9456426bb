import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { useAnswers } from '../../support/answer-calls.ts';
import type { Checkout } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { approvedRefund, refundRow } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

const MANY = 2_001;

describeForEachProvider(
  'A refund after two thousand others since the payment',
  ({ stack, name, paid, pass, refunds }) => {
    const calls: string[] = [];
    useAnswers((address, init) => {
      const { pathname } = new URL(address);
      if (pathname.startsWith(`/${name}/`) && !pathname.endsWith('/login'))
        calls.push(`${init.method} ${pathname.replace(/\d{2,}|ref_\w+/g, '*')}`);
      return fetch(address, init);
    });

    async function refundAnother({ reference }: Checkout): Promise<void> {
      const other = await paid();
      const { store } = stack.sandbox;
      const paymentOf = ({ reference: of }: { reference: string }) =>
        store.payment.find(`reference ${of}`).find(({ paidAt }) => paidAt)!;
      const { id: paymentId, accountId } = paymentOf(other);
      expect(accountId).to.equal(paymentOf({ reference }).accountId);
      const at = stack.clock();
      for (let made = 0; made < MANY; made++)
        store.refund.add({
          ...{ accountId, paymentId, amountKobo: 100, status: 'completed', ending: 'completed' },
          ...{ reference: null, dueAt: null, customerNote: null, merchantNote: null },
          ...{ createdAt: at, updatedAt: at },
        });
    }

    async function waitUntilSent(refund: { id: string }): Promise<void> {
      for (let wait = 0; wait < 30; wait++) {
        if ((await refundRow(stack, refund)).status !== 'approved') return;
        await pass(10 * SECOND);
      }
      expect.fail('the refund is not sent');
    }

    it('goes out with few calls, and knows what went back in the provider’s dashboard', async () => {
      const charge = await paid();
      await runHousekeeping(stack.context); // connections get their tasks
      await stack.control.refundNow(charge.reference, 20_000);
      await refundAnother(charge);
      const first = await approvedRefund(stack, charge, 30_000);
      await stack.settle();
      await waitUntilSent(first);
      calls.length = 0;
      const second = await approvedRefund(stack, charge, 40_000);
      await stack.settle();
      const list = { paystack: '/refund', flutterwave: '/refunds', monnify: '/api/v1/refunds' };
      const lists = calls.filter((call) => call === `GET /${name}${list[name]}`);
      expect(lists, calls.join()).to.have.length(1);
      expect(calls.filter((call) => call.startsWith('POST'))).to.have.length(1);
      for (let step = 0; step < 3; step++) await pass(MINUTE);
      for (const { id } of [first, second])
        expect(await refundRow(stack, { id })).to.include({ status: 'completed' });
      const third = await approvedRefund(stack, charge, 10_000);
      await stack.settle();
      await waitUntilSent(third);
      await pass(MINUTE);
      expect(await refunds(charge)).to.have.members([
        'provider completed 20000',
        ...[30_000, 40_000, 10_000].map((kobo) => `merchant completed ${kobo}`),
      ]);
    });
  },
);
