import { expect } from 'chai';
import type { Json } from '../json.ts';
import { openFlutterwave } from './fixture.ts';

describe('sandbox: Flutterwave refunds', () => {
  it('ends one a second later, by the name of where it went', async () => {
    await using fixture = await openFlutterwave();
    for (const [channel, name] of [
      ['card', 'completed-mpgs'],
      ['bank_transfer', 'completed-bank-transfer'],
      ['ussd', 'completed-bank-transfer'],
      ['mobile_money', 'completed-momo'],
    ] as const) {
      const reference = await fixture.sale(500_000, { notify: false, channel });
      const { id } = await fixture.verified(reference);
      const fields = { amount: '0.05', comments: 'rfd_1' };
      const refund = await fixture.flutterwave('POST', `/transactions/${id}/refund`, fields);
      const { data } = refund.body;
      expect(data).to.deep.include({
        ...{ tx_id: id, amount_refunded: 0.05, status: 'completed' },
        ...{ account_id: fixture.accountId, meta: { source: 'availablebalance' } },
      });
      const read = async () => (await fixture.flutterwave('GET', `/refunds/${data.id}`)).body.data;
      await fixture.pass(999);
      expect((await read()).status).to.equal('completed');
      await fixture.pass(1);
      expect(await read()).to.include({
        ...{ status: name, comment: 'rfd_1', transaction_id: id, amount_refunded: 0.05 },
        meta: '{"source":"availablebalance"}',
      });
    }
  });

  it('notifies only an account that has it switched on: flat, when it is accepted and when it ends', async () => {
    for (const refund_notices of [false, true]) {
      const secret_key = `FLWSECK_TEST-${refund_notices}-X`;
      const account = { provider: 'flutterwave', secret_key, refund_notices };
      await using fixture = await openFlutterwave({ account });
      const reference = await fixture.sale(500_000, { notify: false });
      const { id } = await fixture.verified(reference);
      const fields = { amount: 20, comments: 'rfd_1' };
      await fixture.flutterwave('POST', `/transactions/${id}/refund`, fields);
      await fixture.pass(1_000);
      await fixture.control('POST', '/refund', { reference, now: true });
      await fixture.sandbox.idle();
      const notified = fixture.receiver.received.map(({ body }) => body as Json);
      const expected = [
        ['completed', 20],
        ['completed-mpgs', 20],
        ['completed-mpgs', 4980],
      ];
      expect(
        notified.map(({ status, AmountRefunded }) => [status, AmountRefunded]),
      ).to.have.deep.members(refund_notices ? expected : []);
      for (const body of notified) {
        expect(body).to.include({ TransactionId: id, settlement_id: 'NEW' });
        expect(body).not.to.have.any.keys('event', 'data');
      }
    }
  });
});
