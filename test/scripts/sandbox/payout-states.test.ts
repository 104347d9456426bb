import { expect } from 'chai';
import type { Json } from './json.ts';
import { type Merchant, merchants, payoutStatuses } from './merchants.ts';

const provider = Object.keys(merchants) as (keyof typeof merchants)[];

async function settle({ fixture }: Merchant, fields: object = {}): Promise<Json> {
  return (await fixture.control('POST', '/settle', fields)).body.data[0];
}

async function change({ fixture }: Merchant, fields: object): Promise<Json> {
  const { status, body } = await fixture.control('POST', '/settlement', fields);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
}

for (const name of provider) {
  const words = payoutStatuses[name];
  const notified = words.pending === undefined ? 0 : 1;

  describe(`sandbox: payouts that do not land at once at ${name}`, () => {
    for (const status of ['pending', 'failed'] as const) {
      it(`shows one as ${status}, and as landed once it has`, async () => {
        await using merchant = await merchants[name]();
        const reference = await merchant.sale();
        const settled = await settle(merchant, { status });
        expect(settled).to.include({ status, landed_at: null });
        expect((await merchant.payouts()).map((payout) => payout.status)).to.deep.equal(
          notified ? [words[status]] : [],
        );
        expect(Object.keys(await merchant.lines(settled.provider_settlement_id))).to.have.length(
          notified,
        );

        await merchant.fixture.pass(1_800_000);
        const landed = await change(merchant, { id: settled.id, status: 'landed' });
        expect(landed).to.deep.equal({
          ...settled,
          status: 'landed',
          landed_at: '2026-03-02T09:30:00.000Z',
        });
        const payouts = await merchant.payouts();
        expect(payouts).to.deep.equal([
          {
            id: settled.provider_settlement_id,
            status: words.landed,
            amountKobo: settled.landed_kobo,
          },
        ]);
        expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys(reference);
      });
    }

    it('refuses an empty change, unknown fields and an unknown settlement', async () => {
      await using merchant = await merchants[name]();
      const { control } = merchant.fixture;
      expect((await control('POST', '/settlement', { id: 7 })).body.error).to.equal(
        'status or landed_kobo is required',
      );
      expect((await control('POST', '/settlement', { id: 7, status: 'failed' })).status).to.equal(
        404,
      );
      expect(
        (await control('POST', '/settlement', { id: 'STL0000000007', landed_kobo: 0 })).status,
      ).to.equal(404);
    });
  });
}

describe('sandbox: how each provider shows a payout that did not land at once', () => {
  it('is listed by its state at Paystack, with nothing at the bank once it has failed', async () => {
    await using merchant = await merchants.paystack();
    await merchant.sale();
    const { id } = await settle(merchant, { status: 'pending' });
    const listed = async (status: string) =>
      (await merchant.fixture.paystack('GET', `/settlement?status=${status}`)).body.data;
    expect((await listed('pending'))[0]).to.include({
      status: 'pending',
      total_amount: 482_500,
      effective_amount: 482_500,
    });
    expect(await listed('success')).to.deep.equal([]);
    await merchant.fixture.pass(60_000);
    await change(merchant, { id, status: 'failed' });
    const [failed] = await listed('failed');
    expect(failed).to.include({
      total_amount: 482_500,
      effective_amount: 0,
      updatedAt: '2026-03-02T09:01:00.000Z',
    });
    expect(await listed('processing')).to.deep.equal([]);
  });

  it('has the day it was processed at Flutterwave only when that is not the moment it was made', async () => {
    await using merchant = await merchants.flutterwave();
    await merchant.sale();
    const { id } = await settle(merchant, { status: 'pending' });
    const read = async () =>
      (await merchant.fixture.provider('GET', `/settlements/${id}`, undefined, bearer(merchant)))
        .body.data;
    expect(await read()).to.include({ status: 'pending', processed_date: null });
    await change(merchant, { id, status: 'landed', at: '2026-03-04T08:00:00Z' });
    expect(await read()).to.include({
      status: 'completed',
      processed_date: '2026-03-04T08:00:00.000Z',
      due_date: '2026-03-02T00:00:00.000Z',
    });
  });

  it('is shown by Flutterwave as a refund when money was deducted without one', async () => {
    await using merchant = await merchants.flutterwave();
    await merchant.sale();
    const { id } = await settle(merchant, { deduct_kobo: 700 });
    const { data } = (
      await merchant.fixture.provider('GET', `/settlements/${id}`, undefined, bearer(merchant))
    ).body;
    expect(data).to.include({ refund: 7, refund_meta: null, chargeback: 0 });
    expect(
      Math.round(
        (data.gross_amount - data.app_fee - data.refund - data.stampduty_charge - data.net_amount) *
          100,
      ),
    ).to.equal(0);
  });

  it('is notified by Monnify when it landed, with that time, unless no notification was asked for', async () => {
    await using merchant = await merchants.monnify();
    const fixture = merchant.fixture;
    const token = monnifyToken(merchant);
    const reference = await merchant.sale();
    const settled = await settle(merchant, { status: 'pending' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    const path = `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(payment.provider_payment_id)}`;
    const detail = () => fixture.provider('GET', path, undefined, { authorization: token });
    expect((await detail()).status).to.equal(404);
    await fixture.pass(24 * 60_000);
    await change(merchant, { id: settled.id, status: 'landed', notify: false });
    expect(await merchant.payouts()).to.deep.equal([]);
    expect((await detail()).body.responseBody).to.include({
      settlementReference: settled.provider_settlement_id,
      settlementDate: '2026-03-02 10:24:00.000',
    });
  });
});

function bearer({ fixture }: Merchant) {
  return { authorization: `Bearer ${fixture.secretKey}` };
}

/** The token of the merchant's one login. */
function monnifyToken({ fixture: { sandbox, accountId } }: Merchant): string {
  return `Bearer ${sandbox.store.token.first(`account ${accountId}`)!.token}`;
}
