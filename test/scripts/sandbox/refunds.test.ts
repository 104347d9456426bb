import { expect } from 'chai';
import { type Fixture, openFixture } from './fixture.ts';

async function refund(fixture: Fixture, transaction: string, fields: object = {}) {
  return fixture.paystack('POST', '/refund', { transaction, ...fields });
}

async function statusOf(fixture: Fixture, reference: string): Promise<string> {
  return (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body.data.status;
}

describe('sandbox: refunds', () => {
  it('queues a refund of all that was paid, and completes it a second later', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale();
    const { status, body } = await refund(fixture, reference, {
      merchant_note: 'rfd_1',
      customer_note: 'sorry',
    });
    expect(status).to.equal(200);
    expect(body.message).to.equal('Refund has been queued for processing');
    expect(body.data).to.include({
      status: 'pending',
      amount: 500_000,
      merchant_note: 'rfd_1',
      customer_note: 'sorry',
      domain: 'test',
    });
    expect(body.data.transaction).to.include({ reference, amount: 500_000, currency: 'NGN' });
    expect(await statusOf(fixture, reference)).to.equal('reversal pending');

    await fixture.pass(999);
    expect((await fixture.paystack('GET', `/refund/${body.data.id}`)).body.data.status).to.equal(
      'processing',
    );
    await fixture.pass(1);
    const { data, message } = (await fixture.paystack('GET', `/refund/${body.data.id}`)).body;
    expect(message).to.equal('Refund retrieved');
    expect(data).to.include({
      status: 'processed',
      transaction: body.data.transaction.id,
      fully_deducted: true,
    });
    expect(await statusOf(fixture, reference)).to.equal('reversed');
  });

  it('never lets refunds asked at once add up to more than was paid', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale();
    const replies = await Promise.all(
      [1, 2, 3].map(() => refund(fixture, reference, { amount: 200_000 })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 200, 400]);
  });

  it('keeps a refund that needs attention waiting, its money still bound', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale();
    await fixture.control('POST', '/refund', { reference, outcome: 'needs-attention' });
    const { id } = (await refund(fixture, reference)).body.data;
    await fixture.pass(60_000);
    expect((await fixture.paystack('GET', `/refund/${id}`)).body.data.status).to.equal(
      'needs-attention',
    );
    expect(await statusOf(fixture, reference)).to.equal('reversal pending');
    expect((await refund(fixture, reference)).body.code).to.equal('transaction_reversed');
  });

  it("makes one at once from the provider's dashboard, and notifies it as completed", async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    const part = await fixture.control('POST', '/refund', {
      reference,
      now: true,
      amount_kobo: 200_000,
    });
    expect(part.status).to.equal(200);
    expect(part.body.refund).to.include({ amount_kobo: 200_000, status: 'completed' });
    await fixture.sandbox.idle();
    expect(fixture.receiver.events()).to.deep.equal(['refund.processed']);
    expect(
      (await fixture.control('POST', '/refund', { reference, now: true, amount_kobo: 300_001 }))
        .status,
    ).to.equal(409);
    expect(
      (await fixture.control('POST', '/refund', { reference, now: true })).body.refund.amount_kobo,
    ).to.equal(300_000);
    expect(await statusOf(fixture, reference)).to.equal('reversed');
    expect((await fixture.control('POST', '/refund', { reference, now: true })).status).to.equal(
      409,
    );
    expect(
      (await fixture.control('POST', '/refund', { reference: await fixture.order(), now: true }))
        .status,
    ).to.equal(409);
  });

  it('notifies the merchant of each step, in the shape of each', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    await refund(fixture, reference, { amount: 100_000 });
    await fixture.pass(1_000);
    expect(fixture.receiver.events()).to.have.members([
      'refund.pending',
      'refund.processing',
      'refund.processed',
    ]);
    const notified = Object.fromEntries(
      fixture.receiver.received.map(({ body }) => [body.event, body.data]),
    );
    expect(notified['refund.pending']).to.include({
      status: 'pending',
      transaction_reference: reference,
      amount: '100000',
      refund_reference: null,
    });
    expect(notified['refund.processed']!.refund_reference).to.be.a('string');
    expect(notified['refund.processed']).not.to.have.property('id');
  });

  it('notifies a refund that needs attention with its number and its notes', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('POST', '/refund', { reference, outcome: 'needs-attention' });
    const { id } = (await refund(fixture, reference, { merchant_note: 'rfd_9' })).body.data;
    await fixture.pass(1_000);
    const last = fixture.receiver.received.find(
      ({ body }) => body.event === 'refund.needs-attention',
    );
    expect(last?.body.data).to.include({ id: String(id), merchant_note: 'rfd_9', amount: 500_000 });
  });
});
