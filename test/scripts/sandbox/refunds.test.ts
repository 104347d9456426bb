import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { type Fixture, openFixture } from './fixture.ts';

async function refund(fixture: Fixture, transaction: string, fields: object = {}) {
  return fixture.paystack('POST', '/refund', { transaction, ...fields });
}

async function statusOf(fixture: Fixture, reference: string): Promise<string> {
  return (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body.data.status;
}

describe('sandbox: refunds', () => {
  const fixture = forEachTest(openFixture);

  it('queues a refund of all that was paid, and completes it a second later', async () => {
    const reference = await fixture.sale();
    const { body } = await refund(fixture, reference, { customer_note: 'sorry' });
    expect(body.message).to.equal('Refund has been queued for processing');
    expect(body.data).to.include({
      ...{ status: 'pending', amount: 500_000, customer_note: 'sorry', domain: 'test' },
    });
    expect(body.data.transaction).to.include({ reference, amount: 500_000, currency: 'NGN' });
    expect(await statusOf(fixture, reference)).to.equal('reversal pending');
    const read = async () => (await fixture.paystack('GET', `/refund/${body.data.id}`)).body.data;
    await fixture.pass(999);
    expect((await read()).status).to.equal('processing');
    await fixture.pass(1);
    const transaction = body.data.transaction.id;
    expect(await read()).to.include({ status: 'processed', transaction, fully_deducted: true });
    expect(await statusOf(fixture, reference)).to.equal('reversed');
  });

  it('never lets refunds asked at once add up to more than was paid', async () => {
    const reference = await fixture.sale();
    const replies = await Promise.all(
      [1, 2, 3].map(() => refund(fixture, reference, { amount: 200_000 })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 200, 400]);
  });

  it("makes one at once from the provider's dashboard, of no more than is left", async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    const refundNow = (amount_kobo?: number, of = reference) =>
      fixture.control('POST', '/refund', { reference: of, now: true, amount_kobo });
    const part = await refundNow(200_000);
    expect(part.body.refund).to.include({ amount_kobo: 200_000, status: 'completed' });
    await fixture.sandbox.idle();
    expect(fixture.receiver.events()).to.deep.equal(['refund.processed']);
    expect((await refundNow(300_001)).status).to.equal(409);
    expect((await refundNow()).body.refund.amount_kobo).to.equal(300_000);
    expect(await statusOf(fixture, reference)).to.equal('reversed');
    expect((await refundNow()).status).to.equal(409);
    expect((await refundNow(undefined, await fixture.order())).status).to.equal(409);
  });

  it('notifies the merchant of each step, in the shape of each', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await refund(fixture, reference, { amount: 100_000 });
    await fixture.pass(1_000);
    const events = ['refund.pending', 'refund.processing', 'refund.processed'];
    expect(fixture.receiver.events()).to.have.members(events);
    const notified = Object.fromEntries(
      fixture.receiver.received.map(({ body }) => [body.event, body.data]),
    );
    expect(notified['refund.pending']).to.include({
      ...{ status: 'pending', transaction_reference: reference },
      ...{ amount: '100000', refund_reference: null },
    });
    expect(notified['refund.processed']!.refund_reference).to.be.a('string');
    expect(notified['refund.processed']).not.to.have.property('id');
  });

  it('keeps one that needs attention waiting with its money bound, and notifies it with its notes', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('POST', '/refund', { reference, outcome: 'needs-attention' });
    const { id } = (await refund(fixture, reference, { merchant_note: 'rfd_9' })).body.data;
    await fixture.pass(60_000);
    const last = fixture.receiver.received.find(
      ({ body }) => body.event === 'refund.needs-attention',
    );
    expect(last?.body.data).to.include({ id: String(id), merchant_note: 'rfd_9', amount: 500_000 });
    const { data } = (await fixture.paystack('GET', `/refund/${id}`)).body;
    expect(data.status).to.equal('needs-attention');
    expect((await refund(fixture, reference)).body.code).to.equal('transaction_reversed');
  });
});
