import { expect } from 'chai';
import type { Json } from './json.ts';
import { type Merchant, merchants, payoutStatuses } from './merchants.ts';

async function settle({ fixture }: Merchant, fields: object = {}): Promise<Json> {
  return (await fixture.control('POST', '/settle', fields)).body.data[0];
}

async function change({ fixture }: Merchant, fields: object): Promise<Json> {
  const { status, body } = await fixture.control('POST', '/settlement', fields);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
}

for (const name of Object.keys(merchants) as (keyof typeof merchants)[]) {
  const words = payoutStatuses[name];

  describe(`sandbox: payouts that do not land at once at ${name}`, () => {
    it('are shown as pending or failed, and as landed once they have', async () => {
      for (const status of ['pending', 'failed'] as const) {
        await using merchant = await merchants[name]();
        const reference = await merchant.sale();
        const settled = await settle(merchant, { status });
        const id = settled.provider_settlement_id;
        expect(settled).to.include({ status, landed_at: null });
        const shown = words[status] === undefined ? [] : [words[status]];
        expect((await merchant.payouts()).map((payout) => payout.status)).to.deep.equal(shown);
        expect(Object.keys(await merchant.lines(id))).to.have.length(shown.length);

        await merchant.fixture.pass(1_800_000);
        const landed = { status: 'landed', landed_at: '2026-03-02T09:30:00.000Z' };
        expect(await change(merchant, { id: settled.id, status: 'landed' })).to.deep.equal({
          ...{ ...settled, ...landed },
        });
        expect(await merchant.payouts()).to.deep.equal([
          { id, status: words.landed, amountKobo: settled.landed_kobo },
        ]);
        expect(await merchant.lines(id)).to.have.all.keys(reference);
      }
    });
  });
}

describe('sandbox: how each provider shows a payout that did not land at once', () => {
  it('has nothing at the bank once it has failed at Paystack', async () => {
    await using merchant = await merchants.paystack();
    await merchant.sale();
    const { id } = await settle(merchant, { status: 'pending' });
    await merchant.fixture.pass(60_000);
    await change(merchant, { id, status: 'failed' });
    const [failed] = (await merchant.fixture.paystack('GET', '/settlement')).body.data;
    const updatedAt = '2026-03-02T09:01:00.000Z';
    expect(failed).to.include({ total_amount: 482_500, effective_amount: 0, updatedAt });
  });

  it('has the day it was processed at Flutterwave only when that is not the moment it was made, and a refund of money deducted without one', async () => {
    await using merchant = await merchants.flutterwave();
    await merchant.sale();
    const { id } = await settle(merchant, { status: 'pending', deduct_kobo: 700 });
    const authorization = `Bearer ${merchant.fixture.secretKey}`;
    const read = async () =>
      (await merchant.fixture.provider('GET', `/settlements/${id}`, undefined, { authorization }))
        .body.data;
    expect(await read()).to.include({ status: 'pending', processed_date: null });
    await change(merchant, { id, status: 'landed', at: '2026-03-04T08:00:00Z' });
    expect(await read()).to.include({
      ...{ status: 'completed', processed_date: '2026-03-04T08:00:00.000Z' },
      ...{ due_date: '2026-03-02T00:00:00.000Z', refund: 7, refund_meta: null, chargeback: 0 },
    });
  });

  it('is notified by Monnify when it landed, with that time, unless no notification was asked for', async () => {
    await using merchant = await merchants.monnify();
    const { fixture } = merchant;
    const { token } = fixture.sandbox.store.token.first(`account ${fixture.accountId}`)!;
    const reference = await merchant.sale();
    const settled = await settle(merchant, { status: 'pending' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    const path = `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(payment.provider_payment_id)}`;
    const detail = () =>
      fixture.provider('GET', path, undefined, { authorization: `Bearer ${token}` });
    expect((await detail()).status).to.equal(404);
    await fixture.pass(24 * 60_000);
    await change(merchant, { id: settled.id, status: 'landed', notify: false });
    expect(await merchant.payouts()).to.deep.equal([]);
    expect((await detail()).body.responseBody).to.include({
      settlementReference: settled.provider_settlement_id,
      settlementDate: '2026-03-02 10:24:00.000',
    });
  });

  it('is not changed by an empty change, nor where there is none', async () => {
    await using merchant = await merchants.paystack();
    const { control } = merchant.fixture;
    const empty = await control('POST', '/settlement', { id: 7 });
    expect(empty.body.error).to.equal('status or landed_kobo is required');
    for (const fields of [
      { id: 7, status: 'failed' },
      { id: 'STL0000000007', landed_kobo: 0 },
    ])
      expect((await control('POST', '/settlement', fields)).status).to.equal(404);
  });
});
