import { expect } from 'chai';
import type { Json } from '../json.ts';
import { type FlutterwaveFixture, openFlutterwave } from './fixture.ts';

const list = async (fixture: FlutterwaveFixture, query = '') =>
  (await fixture.flutterwave('GET', `/settlements${query}`)).body;

/** The sum that Flutterwave's own settlements hold to. */
function netOf(row: Json): number {
  const kobo = (naira: number) => Math.round(naira * 100);
  const less = [
    row.app_fee,
    row.merchant_fee,
    row.refund,
    row.chargeback,
    row.stampduty_charge,
  ].map(kobo);
  return less.reduce((rest, part) => rest - part, kobo(row.gross_amount));
}

describe('sandbox: Flutterwave settlements', () => {
  it('pays out what was paid less fee, tax and stamp duty, and names every transaction', async () => {
    await using fixture = await openFlutterwave();
    const [big, small] = [await fixture.sale(2_500_000), await fixture.sale(250_000)];
    const [bigId, smallId] = [(await fixture.verified(big)).id, (await fixture.verified(small)).id];
    await fixture.sale(500_000, { outcome: 'failed' });
    expect(
      (await fixture.control('POST', '/settle', { provider: 'provider_b' })).body.data,
    ).to.have.length(1);
    const { data, meta } = await list(fixture);
    expect(meta.page_info).to.deep.equal({
      total: 1,
      current_page: 1,
      total_pages: 1,
      page_size: 20,
    });
    const [settlement] = data;
    expect(settlement).to.include({
      status: 'completed',
      currency: 'NGN',
      destination: 'account',
      is_local: true,
      transaction_count: 2,
    });
    expect(settlement).to.include({
      gross_amount: 27_500,
      app_fee: 413.88,
      merchant_fee: 0,
      stampduty_charge: 50,
      net_amount: 27_036.12,
    });
    expect(settlement).to.include({
      refund: 0,
      chargeback: 0,
      refund_meta: null,
      chargeback_meta: null,
    });
    expect(settlement.meta).to.deep.equal([bigId, smallId]);
    expect(netOf(settlement)).to.equal(2_703_612);

    const one = (await fixture.flutterwave('GET', `/settlements/${settlement.id}`)).body.data;
    expect(one).to.include({ id: settlement.id, is_local: 1, meta: `[${bigId},${smallId}]` });
    expect(one.transactions[0]).to.include({
      id: bigId,
      tx_ref: big,
      charged_amount: 25_000,
      app_fee: 376.25,
      stampduty_charge: 50,
      settlement_amount: 24_573.75,
      status: 'successful',
    });
    expect((await fixture.verified(big)).amount_settled).to.equal(24_573.75);
    expect(one.transactions).to.have.length(2);
  });

  it('deducts refunds and lost chargebacks, each in its own column, and falls short when asked to', async () => {
    await using fixture = await openFlutterwave();
    const [refunded, disputed] = [await fixture.sale(200_000), await fixture.sale(100_000)];
    const { refund } = (
      await fixture.control('POST', '/refund', {
        reference: refunded,
        now: true,
        amount_kobo: 50_050,
      })
    ).body;
    const dispute = (
      await fixture.control('POST', '/dispute', { reference: disputed, outcome: 'lost' })
    ).body;
    await fixture.control('POST', '/settle', { provider: 'flutterwave', short_by_kobo: 700 });
    const [settlement] = (await list(fixture)).data;
    expect(settlement).to.include({ refund: 500.5, chargeback: 1000 });
    expect(settlement.refund_meta).to.deep.equal([refund.id]);
    expect(settlement.chargeback_meta).to.deep.equal([dispute.id]);
    expect(netOf(settlement) - Math.round(settlement.net_amount * 100)).to.equal(700);
  });
});
