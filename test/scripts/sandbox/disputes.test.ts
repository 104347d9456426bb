import { expect } from 'chai';
import { openFixture } from './fixture.ts';

describe('sandbox: disputes', () => {
  it('opens a dispute over the rest of a payment, and notifies the merchant', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    const { id } = (await fixture.control('POST', '/dispute', { reference })).body;
    await fixture.sandbox.idle();
    const { data } = (await fixture.paystack('GET', `/dispute/${id}`)).body;
    expect(data).to.include({
      status: 'awaiting-merchant-feedback',
      resolution: null,
      refund_amount: 500_000,
      createdAt: '2026-03-02T09:00:00.000Z',
    });
    expect(data.transaction).to.include({ reference, status: 'success' });
    const [notified] = fixture.receiver.received;
    expect(notified?.body.event).to.equal('charge.dispute.create');
    expect(notified?.body.data).to.include({ id, created_at: '2026-03-02T09:00:00.000Z' });
    expect(notified?.body.data).not.to.have.property('createdAt');
  });

  it('gives the money to the customer when it is lost', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('POST', '/dispute', { reference });
    const { id } = (await fixture.control('POST', '/dispute', { reference, outcome: 'lost' })).body;
    await fixture.sandbox.idle();
    expect((await fixture.paystack('GET', `/dispute/${id}`)).body.data).to.include({
      status: 'resolved',
      resolution: 'merchant-accepted',
    });
    const resolved = fixture.receiver.received.find(
      ({ body }) => body.event === 'charge.dispute.resolve',
    );
    expect(resolved?.body.data.transaction.status).to.equal('reversed');
  });

  it('refuses to dispute an unpaid or refunded payment, and a second open dispute', async () => {
    await using fixture = await openFixture();
    expect(
      (await fixture.control('POST', '/dispute', { reference: await fixture.order() })).status,
    ).to.equal(409);
    const refunded = await fixture.sale();
    await fixture.paystack('POST', '/refund', { transaction: refunded });
    await fixture.pass(1_000);
    expect((await fixture.control('POST', '/dispute', { reference: refunded })).status).to.equal(
      409,
    );
    const reference = await fixture.sale();
    const replies = await Promise.all(
      [1, 2].map(() => fixture.control('POST', '/dispute', { reference })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('takes no more than is left when a refund was completed before the dispute', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000);
    await fixture.control('POST', '/dispute', { reference });
    await fixture.paystack('POST', '/refund', { transaction: reference, amount: 400_000 });
    await fixture.pass(1_000);
    await fixture.control('POST', '/dispute', { reference, outcome: 'lost' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    expect(payment).to.include({ status: 'reversed', reversed_kobo: 500_000 });
  });
});
