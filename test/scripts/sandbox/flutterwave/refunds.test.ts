import { expect } from 'chai';
import type { Json } from '../json.ts';
import { type FlutterwaveFixture, openFlutterwave } from './fixture.ts';

async function refund(fixture: FlutterwaveFixture, id: number | string, fields: object = {}) {
  return fixture.flutterwave('POST', `/transactions/${id}/refund`, fields);
}

async function sold(
  fixture: FlutterwaveFixture,
  action: object = {},
): Promise<{ reference: string; id: number }> {
  const reference = await fixture.sale(500_000, { notify: false, ...action });
  return { reference, id: (await fixture.verified(reference)).id };
}

const statusOf = async (fixture: FlutterwaveFixture, id: number) =>
  (await fixture.flutterwave('GET', `/refunds/${id}`)).body.data.status;

describe('sandbox: Flutterwave refunds', () => {
  it('accepts one as "completed", which it is a second later by the name of where it went', async () => {
    await using fixture = await openFlutterwave();
    const { reference, id } = await sold(fixture);
    const { status, body } = await refund(fixture, id, { comments: 'rfd_1' });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'success', message: 'Transaction refund initiated' });
    expect(body.data).to.include({
      tx_id: id,
      amount_refunded: 5000,
      status: 'completed',
      account_id: fixture.accountId,
    });
    expect(body.data.meta).to.deep.equal({ source: 'availablebalance' });
    await fixture.pass(999);
    expect(await statusOf(fixture, body.data.id)).to.equal('completed');
    await fixture.pass(1);
    const row = (await fixture.flutterwave('GET', `/refunds/${body.data.id}`)).body.data;
    expect(row).to.include({
      status: 'completed-mpgs',
      comment: 'rfd_1',
      transaction_id: id,
      amount_refunded: 5000,
    });
    expect(row.meta).to.equal('{"source":"availablebalance"}');
    expect((await fixture.verified(reference)).status).to.equal('successful');
  });

  for (const [channel, name] of [
    ['bank_transfer', 'completed-bank-transfer'],
    ['ussd', 'completed-bank-transfer'],
    ['mobile_money', 'completed-momo'],
  ] as const) {
    it(`ends one of a payment by ${channel} as ${name}`, async () => {
      await using fixture = await openFlutterwave();
      const { id } = await sold(fixture, { channel });
      const refunded = (await refund(fixture, id, { amount: '0.05' })).body.data;
      expect(refunded.amount_refunded).to.equal(0.05);
      await fixture.pass(1_000);
      expect(await statusOf(fixture, refunded.id)).to.equal(name);
    });
  }

  it('sends no notification unless the account has it switched on: then a flat one, when it is accepted and when it ends', async () => {
    for (const refundNotices of [false, true]) {
      await using fixture = await openFlutterwave(
        refundNotices
          ? {
              account: {
                provider: 'flutterwave',
                secret_key: 'FLWSECK_TEST-notified-X',
                refund_notices: true,
              },
            }
          : {},
      );
      const { reference, id } = await sold(fixture);
      const { data } = (await refund(fixture, id, { amount: 20, comments: 'rfd_1' })).body;
      await fixture.pass(1_000);
      await fixture.control('POST', '/refund', { reference, now: true });
      await fixture.sandbox.idle();
      const notified = fixture.receiver.received.map(({ body }) => body as Json);
      if (!refundNotices) {
        expect(notified).to.deep.equal([]);
        continue;
      }
      expect(
        notified.map(({ status, AmountRefunded }) => [status, AmountRefunded]),
      ).to.have.deep.members([
        ['completed', 20],
        ['completed-mpgs', 20],
        ['completed-mpgs', 4980],
      ]);
      expect(notified[0]).to.include({
        id: data.id,
        TransactionId: id,
        comments: 'rfd_1',
        settlement_id: 'NEW',
      });
      expect(notified[0]).not.to.have.any.keys('event', 'data');
    }
  });
});
