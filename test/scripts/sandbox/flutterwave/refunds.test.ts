import { expect } from 'chai';
import type { Json } from '../json.ts';
import { type FlutterwaveFixture, openFlutterwave } from './fixture.ts';

async function refund(fixture: FlutterwaveFixture, id: number | string, fields: object = {}) {
  return fixture.flutterwave('POST', `/transactions/${id}/refund`, fields);
}

async function sold(
  fixture: FlutterwaveFixture,
  act: object = {},
): Promise<{ reference: string; id: number }> {
  const reference = await fixture.sale(500_000, { notify: false, ...act });
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

  for (const [outcome, name] of [
    ['failed', 'failed'],
    ['needs-attention', 'pending-momo'],
  ] as const) {
    it(`has the next one end as ${name} when told ${outcome}, even before anyone paid`, async () => {
      await using fixture = await openFlutterwave();
      const reference = await fixture.order();
      await fixture.control('POST', '/refund', { reference, outcome });
      const { id } = (await fixture.control('POST', '/pay', { reference, outcome: 'success' }))
        .body;
      const first = (await refund(fixture, id, { amount: 10 })).body.data.id;
      const second = (await refund(fixture, id, { amount: 10 })).body.data.id;
      await fixture.pass(60_000);
      expect([await statusOf(fixture, first), await statusOf(fixture, second)]).to.deep.equal([
        name,
        'completed-mpgs',
      ]);
    });
  }

  it('refuses more than is left, what is back already, what was never paid and what it does not know', async () => {
    await using fixture = await openFlutterwave();
    const { id } = await sold(fixture);
    const failed = await sold(fixture, { outcome: 'failed' });
    expect((await refund(fixture, id, { amount: 5000.01 })).status).to.equal(400);
    expect((await refund(fixture, id, { amount: 0 })).status).to.equal(400);
    expect((await refund(fixture, id, { amount: 'all' })).status).to.equal(400);
    expect((await refund(fixture, failed.id)).body.message).to.equal(
      'Only successful transactions can be refunded',
    );
    expect((await refund(fixture, 1)).body.message).to.equal(
      'No transaction was found for this id',
    );
    await refund(fixture, id);
    expect((await refund(fixture, id)).body).to.deep.equal({
      status: 'error',
      message: 'Transaction has already been refunded',
      data: null,
    });
    expect((await fixture.flutterwave('GET', '/refunds/1')).status).to.equal(404);
  });

  it('lists those of the whole account, one made in the dashboard too', async () => {
    await using fixture = await openFlutterwave();
    const [one, two] = [await sold(fixture), await sold(fixture)];
    await refund(fixture, one.id, { amount: 1, comments: 'rfd_1' });
    const made = (
      await fixture.control('POST', '/refund', {
        reference: two.reference,
        now: true,
        amount_kobo: 250,
      })
    ).body.refund;
    const { data, meta } = (
      await fixture.flutterwave('GET', '/refunds?from=2026-03-02&to=2026-03-02')
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
      await using fixture = await openFlutterwave(
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
      const { reference, id } = await sold(fixture);
      const { data } = (await refund(fixture, id, { amount: 20, comments: 'rfd_1' })).body;
      await fixture.pass(1_000);
      await fixture.control('POST', '/refund', { reference, now: true });
      await fixture.sandbox.idle();
      const told = fixture.receiver.received.map(({ body }) => body as Json);
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
