import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import type { Json } from '../json.ts';
import { type MonnifyFixture, openMonnify } from './monnify-fixture.ts';

async function settle(fixture: MonnifyFixture, fields: object = {}): Promise<Json> {
  await fixture.control('POST', '/settle', { provider: 'monnify', ...fields });
  await fixture.sandbox.idle();
  const notified = fixture.receiver.received
    .map(({ body }) => body as Json)
    .filter(({ eventType }) => eventType === 'SETTLEMENT');
  return notified.at(-1)?.eventData;
}

describe('sandbox: settlements at Monnify', () => {
  const fixture = forEachTest(openMonnify);

  it('notifies a payout with its transactions, without their fees', async () => {
    const card = await fixture.pay(5000, { channel: 'card' });
    const transfer = await fixture.pay(200);
    await fixture.init();
    await fixture.pass(3 * 3_600_000);
    const notified = await settle(fixture, { short_by_kobo: 500 });
    const totals = { amount: '5117.00', transactionsCount: 2 };
    expect(notified).to.include({ ...totals, settlementTime: '02/03/2026 01:00:00 PM' });
    expect(notified.settlementReference).to.match(/^STL\d{10}$/);
    expect(notified.transactions.map((row: Json) => row.paymentReference)).to.deep.equal([
      card.paymentReference,
      transfer.paymentReference,
    ]);
    expect(notified.transactions[0]).to.include({
      ...{ transactionReference: card.transactionReference, amountPaid: '5000.00' },
      ...{ totalPayable: '5000.00', paymentMethod: 'CARD', paymentStatus: 'PAID' },
      paidOn: '02/03/2026 10:00:00 AM',
    });
    expect(notified.transactions[0]).not.to.have.property('settlementAmount');
    expect(await settle(fixture)).to.deep.equal(notified);
  });

  it('pays refunds from the wallet: only lost disputes make a payout smaller', async () => {
    const refunded = await fixture.pay();
    const disputed = await fixture.pay(1000);
    await fixture.pay();
    const refund = { reference: refunded.paymentReference, now: true };
    await fixture.control('POST', '/refund', refund);
    const lost = { reference: disputed.paymentReference, outcome: 'lost' };
    await fixture.control('POST', '/dispute', lost);
    expect((await settle(fixture)).amount).to.equal('9835.00');
  });
});
