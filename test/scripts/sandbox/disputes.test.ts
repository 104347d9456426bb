import { expect } from 'chai';
import { openFixture } from './fixture.ts';

describe('sandbox: disputes', () => {
  it('opens a dispute over what is left of a payment, and tells the merchant', async () => {
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
    const [told] = fixture.receiver.received;
    expect(told?.body.event).to.equal('charge.dispute.create');
    expect(told?.body.data).to.include({ id, created_at: '2026-03-02T09:00:00.000Z' });
    expect(told?.body.data).not.to.have.property('createdAt');
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

  it('leaves the money with the merchant when it is won, opened and decided in one call', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('POST', '/dispute', { reference, outcome: 'won' });
    await fixture.sandbox.idle();
    expect(fixture.receiver.events()).to.have.members([
      'charge.dispute.create',
      'charge.dispute.resolve',
    ]);
    const [dispute] = (await fixture.paystack('GET', '/dispute?status=resolved')).body.data;
    expect(dispute).to.include({ resolution: 'declined' });
    expect(dispute.transaction.status).to.equal('success');
  });

  it('refuses to dispute what is unpaid, what is back already, and twice at once', async () => {
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

  it('takes no more than is left when a refund overtook the dispute', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000);
    await fixture.control('POST', '/dispute', { reference });
    await fixture.paystack('POST', '/refund', { transaction: reference, amount: 400_000 });
    await fixture.pass(1_000);
    await fixture.control('POST', '/dispute', { reference, outcome: 'lost' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    expect(payment).to.include({ status: 'reversed', reversed_kobo: 500_000 });
  });

  it('lists disputes by transaction and status', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale();
    await fixture.control('POST', '/dispute', { reference });
    await fixture.control('POST', '/dispute', { reference: await fixture.sale(), outcome: 'won' });
    const { id } = (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body.data;
    const count = async (query: string) =>
      (await fixture.paystack('GET', `/dispute?${query}`)).body.data.length;
    expect(await count('')).to.equal(2);
    expect(await count(`transaction=${id}`)).to.equal(1);
    expect(await count('status=awaiting-merchant-feedback')).to.equal(1);
    expect(await count('status=archived')).to.equal(0);
  });
});
