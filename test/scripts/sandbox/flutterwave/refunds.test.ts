import { expect } from 'chai';
import type { Json } from '../json.ts';
import { type FlutterwaveStage, openFlutterwave } from './stage.ts';

async function refund(stage: FlutterwaveStage, id: number | string, fields: object = {}) {
  return stage.flutterwave('POST', `/transactions/${id}/refund`, fields);
}

async function sold(
  stage: FlutterwaveStage,
  act: object = {},
): Promise<{ reference: string; id: number }> {
  const reference = await stage.sale(500_000, { notify: false, ...act });
  return { reference, id: (await stage.verified(reference)).id };
}

const statusOf = async (stage: FlutterwaveStage, id: number) =>
  (await stage.flutterwave('GET', `/refunds/${id}`)).body.data.status;

describe('sandbox: Flutterwave refunds', () => {
  it('accepts one as "completed", which it is a second later by the name of where it went', async () => {
    await using stage = await openFlutterwave();
    const { reference, id } = await sold(stage);
    const { status, body } = await refund(stage, id, { comments: 'rfd_1' });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'success', message: 'Transaction refund initiated' });
    expect(body.data).to.include({
      tx_id: id,
      amount_refunded: 5000,
      status: 'completed',
      account_id: stage.accountId,
    });
    expect(body.data.meta).to.deep.equal({ source: 'availablebalance' });
    await stage.pass(999);
    expect(await statusOf(stage, body.data.id)).to.equal('completed');
    await stage.pass(1);
    const row = (await stage.flutterwave('GET', `/refunds/${body.data.id}`)).body.data;
    expect(row).to.include({
      status: 'completed-mpgs',
      comment: 'rfd_1',
      transaction_id: id,
      amount_refunded: 5000,
    });
    expect(row.meta).to.equal('{"source":"availablebalance"}');
    expect((await stage.verified(reference)).status).to.equal('successful');
  });

  for (const [channel, name] of [
    ['bank_transfer', 'completed-bank-transfer'],
    ['ussd', 'completed-bank-transfer'],
    ['mobile_money', 'completed-momo'],
  ] as const) {
    it(`ends one of a payment by ${channel} as ${name}`, async () => {
      await using stage = await openFlutterwave();
      const { id } = await sold(stage, { channel });
      const refunded = (await refund(stage, id, { amount: '0.05' })).body.data;
      expect(refunded.amount_refunded).to.equal(0.05);
      await stage.pass(1_000);
      expect(await statusOf(stage, refunded.id)).to.equal(name);
    });
  }

  for (const [outcome, name] of [
    ['failed', 'failed'],
    ['needs-attention', 'pending-momo'],
  ] as const) {
    it(`has the next one end as ${name} when told ${outcome}, even before anyone paid`, async () => {
      await using stage = await openFlutterwave();
      const reference = await stage.order();
      await stage.control('POST', '/refund', { reference, outcome });
      const { id } = (await stage.control('POST', '/pay', { reference, outcome: 'success' })).body;
      const first = (await refund(stage, id, { amount: 10 })).body.data.id;
      const second = (await refund(stage, id, { amount: 10 })).body.data.id;
      await stage.pass(60_000);
      expect([await statusOf(stage, first), await statusOf(stage, second)]).to.deep.equal([
        name,
        'completed-mpgs',
      ]);
    });
  }

  it('refuses more than is left, what is back already, what was never paid and what it does not know', async () => {
    await using stage = await openFlutterwave();
    const { id } = await sold(stage);
    const failed = await sold(stage, { outcome: 'failed' });
    expect((await refund(stage, id, { amount: 5000.01 })).status).to.equal(400);
    expect((await refund(stage, id, { amount: 0 })).status).to.equal(400);
    expect((await refund(stage, id, { amount: 'all' })).status).to.equal(400);
    expect((await refund(stage, failed.id)).body.message).to.equal(
      'Only successful transactions can be refunded',
    );
    expect((await refund(stage, 1)).body.message).to.equal('No transaction was found for this id');
    await refund(stage, id);
    expect((await refund(stage, id)).body).to.deep.equal({
      status: 'error',
      message: 'Transaction has already been refunded',
      data: null,
    });
    expect((await stage.flutterwave('GET', '/refunds/1')).status).to.equal(404);
  });

  it('lists those of the whole account, one made in the dashboard too', async () => {
    await using stage = await openFlutterwave();
    const [one, two] = [await sold(stage), await sold(stage)];
    await refund(stage, one.id, { amount: 1, comments: 'rfd_1' });
    const made = (
      await stage.control('POST', '/refund', {
        reference: two.reference,
        now: true,
        amount_kobo: 250,
      })
    ).body.refund;
    const { data, meta } = (
      await stage.flutterwave('GET', '/refunds?from=2026-03-02&to=2026-03-02')
    ).body;
    expect(
      data.map((row: Json) => [row.transaction_id, row.amount_refunded, row.status, row.comment]),
    ).to.deep.equal([
      [two.id, 2.5, 'completed-mpgs', null],
      [one.id, 1, 'completed', 'rfd_1'],
    ]);
    expect(data[0].id).to.equal(made.id);
    expect(meta.page_info).to.include({ total: 2, current_page: 1, total_pages: 1 });
  });

  it('tells nobody, unless the account had it switched on: then flat, when it is accepted and when it ends', async () => {
    for (const refundNotices of [false, true]) {
      await using stage = await openFlutterwave(
        refundNotices
          ? {
              account: {
                provider: 'flutterwave',
                secret_key: 'FLWSECK_TEST-told-X',
                refund_notices: true,
              },
            }
          : {},
      );
      const { reference, id } = await sold(stage);
      const { data } = (await refund(stage, id, { amount: 20, comments: 'rfd_1' })).body;
      await stage.pass(1_000);
      await stage.control('POST', '/refund', { reference, now: true });
      await stage.sandbox.idle();
      const told = stage.receiver.received.map(({ body }) => body as Json);
      if (!refundNotices) {
        expect(told).to.deep.equal([]);
        continue;
      }
      expect(
        told.map(({ status, AmountRefunded }) => [status, AmountRefunded]),
      ).to.have.deep.members([
        ['completed', 20],
        ['completed-mpgs', 20],
        ['completed-mpgs', 4980],
      ]);
      expect(told[0]).to.include({
        id: data.id,
        TransactionId: id,
        comments: 'rfd_1',
        settlement_id: 'NEW',
      });
      expect(told[0]).not.to.have.any.keys('event', 'data');
    }
  });
});
