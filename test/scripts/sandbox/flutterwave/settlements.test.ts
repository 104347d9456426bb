import { expect } from 'chai';
import type { Json } from '../json.ts';
import { openFlutterwave } from './fixture.ts';

function netOf(row: Json): number {
  const kobo = (naira: number) => Math.round(naira * 100);
  const { app_fee, merchant_fee, refund, chargeback, stampduty_charge } = row;
  const less = [app_fee, merchant_fee, refund, chargeback, stampduty_charge].map(kobo);
  return less.reduce((rest, part) => rest - part, kobo(row.gross_amount));
}

describe('sandbox: Flutterwave settlements', () => {
  it('pays out what was paid less fee, tax and stamp duty, refunds and lost chargebacks, each in its column', async () => {
    await using fixture = await openFlutterwave();
    const [big, small] = [await fixture.sale(2_500_000), await fixture.sale(250_000)];
    const [bigId, smallId] = [(await fixture.verified(big)).id, (await fixture.verified(small)).id];
    await fixture.sale(500_000, { outcome: 'failed' });
    const part = { reference: big, now: true, amount_kobo: 50_050 };
    const { refund } = (await fixture.control('POST', '/refund', part)).body;
    const lost = { reference: small, outcome: 'lost' };
    const dispute = (await fixture.control('POST', '/dispute', lost)).body;
    await fixture.control('POST', '/settle', { provider: 'provider_b', short_by_kobo: 700 });
    const [settlement, ...others] = (await fixture.flutterwave('GET', '/settlements')).body.data;
    expect(others).to.deep.equal([]);
    expect(settlement).to.deep.include({
      ...{ status: 'completed', destination: 'account', is_local: true, transaction_count: 2 },
      ...{ gross_amount: 27_500, app_fee: 413.88, merchant_fee: 0, stampduty_charge: 50 },
      ...{ refund: 500.5, refund_meta: [refund.id] },
      ...{ chargeback: 2_500, chargeback_meta: [dispute.id], meta: [bigId, smallId] },
    });
    expect(netOf(settlement) - Math.round(settlement.net_amount * 100)).to.equal(700);
    const path = `/settlements/${settlement.id}`;
    const one = (await fixture.flutterwave('GET', path)).body.data;
    expect(one).to.include({ id: settlement.id, is_local: 1, meta: `[${bigId},${smallId}]` });
    expect(one.transactions[0]).to.include({
      ...{ id: bigId, tx_ref: big, charged_amount: 25_000, app_fee: 376.25 },
      ...{ stampduty_charge: 50, settlement_amount: 24_573.75, status: 'successful' },
    });
    expect((await fixture.verified(big)).amount_settled).to.equal(24_573.75);
  });
});
