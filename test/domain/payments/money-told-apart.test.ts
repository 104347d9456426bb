import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { useLedger } from '../ledger.ts';
import { listedRefund, openRefundFixture } from './refund-fixture.ts';

// Every amount is another one, so that one taken for another shows.
describe('Money of a charge of ₦5,000', () => {
  const ledger = useLedger();

  const fixture = forEachTest(() => openRefundFixture(ledger));
  const charge = () => ledger.charge(fixture.chargeId);

  it('that was too little goes back with the fee that its payer bore, when a person returns it', async () => {
    await fixture.pay(300_000, { payerFeeKobo: 4_500 });
    await fixture.decideReview('returned');
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([304_500]);
  });

  it('that was too much goes back without the fee that its payer bore: the rest paid the charge', async () => {
    await fixture.pay(620_000, { payerFeeKobo: 9_300 });
    await fixture.decideReview('returned');
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([120_000]);
    await fixture.listMore([
      { providerRefundId: 'slow', amountKobo: 40_000, state: 'processing' },
      { providerRefundId: 'by-hand-too', amountKobo: 30_000 },
    ]);
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 30_000 });
  });

  it('is not refunded by a refund of nothing that its provider lists', async () => {
    await fixture.pay(500_000);
    await fixture.listMore([{ providerRefundId: 'of-nothing', amountKobo: 0 }]);
    expect(await fixture.refunds()).to.deep.equal([]);
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 0 });
  });

  it('that was paid twice goes back with its fee, and nothing of the charge counts as refunded', async () => {
    await fixture.pay(500_000);
    await fixture.pay(500_000, { providerPaymentId: 'twice', payerFeeKobo: 7_500 });
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([507_500]);
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 0 });
  });

  it('that was paid twice is asked about where a refund of the second at the provider fails, without an event', async () => {
    await fixture.pay(500_000);
    await fixture.pay(500_000, { providerPaymentId: 'also' });
    const listed = { providerRefundId: 'of-also', state: 'processing' } as const;
    await fixture.listMore([listed], 'also');
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([]);
    fixture.listed[0] = listedRefund({ ...listed, state: 'failed' });
    await fixture.recordListed('also');
    expect((await charge()).review).to.deep.equal(['extra_capture']);
    const failed = await ledger.rows(
      `select 1 from events where type = 'refund.failed'
         and subject_id in (select id from refunds where charge_id = $1)`,
      fixture.chargeId,
    );
    expect(failed).to.deep.equal([]);
    await fixture.decideReview('returned');
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([500_000]);
  });

  it('that was paid twice goes back once, though the fee in it turns out not to be the payer’s', async () => {
    await fixture.pay(500_000);
    const second = { providerPaymentId: 'fee-later', payableKobo: 507_500 };
    await fixture.pay(507_500, { ...second, feeKobo: null });
    await fixture.pay(507_500, { ...second, feeKobo: 4_000 });
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([507_500]);
    expect((await charge()).review).to.deep.equal([]);
    await fixture.pay(509_000, { ...second, feeKobo: 4_000 });
    const [review] = await ledger.reviews(fixture.chargeId);
    expect(review.amount_kobo).to.equal(509_000);
    await fixture.decideReview('returned');
    await fixture.sendAll();
    expect(fixture.sent).to.deep.equal([507_500, 1_500]);
  });

  it('is told from a second payment of it, part of which the merchant refunded at the provider', async () => {
    await fixture.pay(500_000);
    await fixture.pay(500_000, { providerPaymentId: 'second' });
    await fixture.listMore([{ providerRefundId: 'by-hand', amountKobo: 130_000 }], 'second');
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 0 });
    fixture.listed[0] = listedRefund({ providerRefundId: 'of-the-first', amountKobo: 20_000 });
    await fixture.recordListed();
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 20_000 });
  });

  it('stays refundable in full beside a refund that somebody tried at the provider and that failed', async () => {
    await fixture.pay(500_000);
    await fixture.listMore([
      { providerRefundId: 'tried', amountKobo: 210_000, state: 'failed' },
      { providerRefundId: 'empty', amountKobo: 0 },
    ]);
    expect(await fixture.refunds()).to.deep.equal([]);
    expect(await charge()).to.include({ status: 'succeeded', refunded_kobo: 0 });
    await fixture.runJob(await fixture.requestRefund());
    expect(fixture.sent).to.deep.equal([500_000]);
  });
});
