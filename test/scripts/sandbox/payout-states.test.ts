import { expect } from 'chai';
import { type Fixture, openFixture } from './fixture.ts';
import { openFlutterwave } from './flutterwave/fixture.ts';
import type { Json } from './json.ts';
import { openMonnify } from './monnify/monnify-fixture.ts';

async function settle(fixture: Fixture, fields: object = {}): Promise<Json> {
  return (await fixture.control('POST', '/settle', fields)).body.data[0];
}

async function change(fixture: Fixture, fields: object): Promise<Json> {
  const { status, body } = await fixture.control('POST', '/settlement', fields);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
}

describe('sandbox: how each provider shows a payout that did not land at once', () => {
  it('has nothing at the bank once it has failed at Paystack', async () => {
    await using fixture = await openFixture();
    await fixture.sale();
    const { id } = await settle(fixture, { status: 'pending' });
    await fixture.pass(60_000);
    await change(fixture, { id, status: 'failed' });
    const [failed] = (await fixture.paystack('GET', '/settlement')).body.data;
    const updatedAt = '2026-03-02T09:01:00.000Z';
    expect(failed).to.include({ total_amount: 482_500, effective_amount: 0, updatedAt });
  });

  it('has the day it was processed at Flutterwave only when that is not the moment it was made, and a refund of money deducted without one', async () => {
    await using fixture = await openFlutterwave();
    await fixture.sale();
    const { id } = await settle(fixture, { status: 'pending', deduct_kobo: 700 });
    const read = async () => (await fixture.flutterwave('GET', `/settlements/${id}`)).body.data;
    expect(await read()).to.include({ status: 'pending', processed_date: null });
    await change(fixture, { id, status: 'landed', at: '2026-03-04T08:00:00Z' });
    expect(await read()).to.include({
      ...{ status: 'completed', processed_date: '2026-03-04T08:00:00.000Z' },
      ...{ due_date: '2026-03-02T00:00:00.000Z', refund: 7, refund_meta: null, chargeback: 0 },
    });
  });

  it('is notified by Monnify when it landed, with that time, unless no notification was asked for', async () => {
    await using fixture = await openMonnify();
    const { paymentReference: reference } = await fixture.pay();
    const settled = await settle(fixture, { status: 'pending' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    const path = `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(payment.provider_payment_id)}`;
    const detail = () => fixture.monnify('GET', path);
    expect((await detail()).status).to.equal(404);
    await fixture.pass(24 * 60_000);
    await change(fixture, { id: settled.id, status: 'landed', notify: false });
    await fixture.sandbox.idle();
    const events = fixture.receiver.received.map(({ body }) => (body as Json).eventType);
    expect(events).not.to.include('SETTLEMENT');
    expect((await detail()).body.responseBody).to.include({
      settlementReference: settled.provider_settlement_id,
      settlementDate: '2026-03-02 10:24:00.000',
    });
  });

  it('is not changed by an empty change, nor where there is none', async () => {
    await using fixture = await openFixture();
    const { control } = fixture;
    const empty = await control('POST', '/settlement', { id: 7 });
    expect(empty.body.error).to.equal('status or landed_kobo is required');
    for (const fields of [
      { id: 7, status: 'failed' },
      { id: 'STL0000000007', landed_kobo: 0 },
    ])
      expect((await control('POST', '/settlement', fields)).status).to.equal(404);
  });
});
