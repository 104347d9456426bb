import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';
import type { Json } from './receiver.ts';

const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort();

describe('sandbox: refunds at Paystack', () => {
  const fixture = forEachTest(openFixture);

  const refund = (transaction: string, fields: object = {}) =>
    fixture.call('POST', '/refund', { transaction, ...fields });
  const statusOf = async (reference: string) => (await fixture.shown(reference)).status;

  it('are queued for all that was paid, and completed a second later', async () => {
    const reference = await fixture.sale();
    const { message, data } = (await refund(reference, { customer_note: 'sorry' })).body;
    expect(message).to.equal('Refund has been queued for processing');
    const order = { status: 'pending', amount: 500_000, customer_note: 'sorry', domain: 'test' };
    expect(data).to.include(order);
    expect(data.transaction).to.include({ reference, amount: 500_000, currency: 'NGN' });
    expect(await statusOf(reference)).to.equal('reversal pending');
    await fixture.pass(999);
    expect(await fixture.get(`/refund/${data.id}`)).to.include({ status: 'processing' });
    await fixture.pass(1);
    const ended = { status: 'processed', transaction: data.transaction.id, fully_deducted: true };
    expect(await fixture.get(`/refund/${data.id}`)).to.include(ended);
    expect(await statusOf(reference)).to.equal('reversed');
  });

  it('never add up to more than was paid, asked at once or made in the dashboard', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    const replies = [1, 2, 3].map(() => refund(reference, { amount: 200_000 }));
    expect(statusesOf(await Promise.all(replies))).to.deep.equal([200, 200, 400]);
    const refundNow = async (amount_kobo?: number, of = reference) =>
      (await fixture.control('/refund', { reference: of, now: true, amount_kobo })).status;
    expect(await refundNow(100_001)).to.equal(409);
    expect(await refundNow()).to.equal(200);
    expect(await refundNow()).to.equal(409);
    expect(await refundNow(1, await fixture.order())).to.equal(409);
  });

  it('wait with their money bound while they need attention, and are notified with their notes', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('/refund', { reference, outcome: 'needs-attention' });
    const { id } = (await refund(reference, { merchant_note: 'rfd_9' })).body.data;
    await fixture.pass(60_000);
    const last = (await fixture.notified()).at(-1);
    expect(last.event).to.equal('refund.needs-attention');
    expect(last.data).to.include({ id: String(id), merchant_note: 'rfd_9', amount: 500_000 });
    expect(await fixture.get(`/refund/${id}`)).to.include({ status: 'needs-attention' });
    expect((await refund(reference)).body.code).to.equal('transaction_reversed');
  });

  it('are notified of each step, in the shape of each', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await refund(reference, { amount: 100_000 });
    await fixture.pass(1_000);
    const byEvent = Object.fromEntries(
      (await fixture.notified()).map(({ event, data }) => [event, data]),
    );
    expect(byEvent).to.have.all.keys('refund.pending', 'refund.processing', 'refund.processed');
    expect(byEvent['refund.pending']).to.include({
      ...{ status: 'pending', transaction_reference: reference },
      ...{ amount: '100000', refund_reference: null },
    });
    expect(byEvent['refund.processed'].refund_reference).to.be.a('string');
    expect(byEvent['refund.processed']).not.to.have.property('id');
  });
});

describe('sandbox: refunds at Flutterwave', () => {
  it('end by the name of where they went, and are notified only where that is switched on', async () => {
    for (const [channel, status, refund_notices] of [
      ['card', 'completed-mpgs', false],
      ['bank_transfer', 'completed-bank-transfer', true],
      ['ussd', 'completed-bank-transfer', true],
      ['mobile_money', 'completed-momo', true],
    ] as const) {
      const options = { provider: 'flutterwave', account: { refund_notices } } as const;
      await using fixture = await openFixture(options);
      const reference = await fixture.sale(500_000, { notify: false, channel });
      const { id } = await fixture.shown(reference);
      const fields = { amount: '0.05', comments: 'rfd_1' };
      const { data } = (await fixture.call('POST', `/transactions/${id}/refund`, fields)).body;
      expect(data).to.deep.include({
        ...{ tx_id: id, amount_refunded: 0.05, status: 'completed' },
        ...{ account_id: fixture.accountId, meta: { source: 'availablebalance' } },
      });
      await fixture.pass(1_000);
      expect(await fixture.get(`/refunds/${data.id}`)).to.include({
        ...{ status, comment: 'rfd_1', transaction_id: id, amount_refunded: 0.05 },
        meta: '{"source":"availablebalance"}',
      });
      const notified = await fixture.notified();
      const flat = { AmountRefunded: 0.05, TransactionId: id, settlement_id: 'NEW' };
      for (const body of notified) expect(body).to.include(flat).and.not.have.property('event');
      const statuses = refund_notices ? ['completed', status] : [];
      expect(notified.map((body) => body.status)).to.deep.equal(statuses);
    }
  });
});

describe('sandbox: refunds at Monnify', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'monnify' }));

  let last = 0;
  const sale = () => fixture.sale(500_000, { channel: 'bank_transfer', notify: false });
  const orderFor = async (reference: string, fields: object = {}) => ({
    transactionReference: (await fixture.shown(reference)).transactionReference,
    ...{ refundReference: `rfd_${++last}`, refundAmount: 5000 },
    ...{ refundReason: 'Goods were damaged', customerNote: 'Rice refund', ...fields },
  });
  const post = (order: object) => fixture.call('POST', '/api/v1/refunds/initiate-refund', order);
  const list = (filter: string) => fixture.get(`/api/v1/refunds?${filter}`);

  it('are refused by their codes', async () => {
    const reference = await sale();
    const unknown = { transactionReference: 'MNFY|01|20260302100000|000001' };
    const rows: [code: string, status: number, fields: object][] = [
      ['R1', 404, unknown],
      ['R3', 422, { refundAmount: 5000.01 }],
      ['R4', 422, { refundAmount: 99.99 }],
      ['R8', 422, { refundReason: 'x'.repeat(65) }],
      ['R8', 422, { customerNote: 'x'.repeat(17) }],
      ['99', 400, { refundAmount: 'all' }],
      ['99', 400, { refundReference: undefined }],
    ];
    for (const [responseCode, status, fields] of rows) {
      const reply = await post(await orderFor(reference, fields));
      expect(reply.status, responseCode).to.equal(status);
      expect(reply.body).to.include({ requestSuccessful: false, responseCode });
    }
    expect(await fixture.stats()).to.include({ refunds: 0 });
    const order = await orderFor(reference);
    const replies = await Promise.all([1, 2, 3].map(() => post(order)));
    expect(replies.map(({ body }) => body.responseCode).sort()).to.deep.equal(['0', 'R9', 'R9']);
    const elsewhere = await orderFor(await sale(), { refundReference: order.refundReference });
    for (const [code, refused] of [
      ['R9', elsewhere],
      ['R12', await orderFor(reference, { refundAmount: 100 })],
    ] as const)
      expect((await post(refused)).body.responseCode).to.equal(code);
  });

  it('are notified once, when they have ended', async () => {
    const [completing, failing] = [await sale(), await sale()];
    await fixture.control('/refund', { reference: failing, outcome: 'failed' });
    const order = await orderFor(completing, { refundAmount: 2000.5 });
    for (const sent of [order, await orderFor(failing)]) await post(sent);
    await fixture.pass(1_000);
    const notified = await fixture.notified();
    const types = ['SUCCESSFUL_REFUND', 'FAILED_REFUND'];
    expect(notified.map(({ eventType }) => eventType)).to.have.members(types);
    const { refundReason: merchantReason, ...sent } = order;
    const { eventData } = notified.find(({ eventType }) => eventType === 'SUCCESSFUL_REFUND');
    expect(eventData).to.deep.equal({
      ...{ ...sent, merchantReason, refundStatus: 'COMPLETED' },
      ...{ createdOn: '02/03/2026 10:00:00 AM', completedOn: '02/03/2026 10:00:01 AM' },
    });
  });

  it('are listed newest first, page by page and by what they say', async () => {
    const reference = await sale();
    for (const refundAmount of [200, 300]) await post(await orderFor(reference, { refundAmount }));
    await fixture.control('/refund', { reference, now: true, amount_kobo: 15_000 });
    const { transactionReference } = await orderFor(reference);
    const other = await orderFor(await sale(), { refundAmount: 100 });
    await post(other);
    const pages = await Promise.all([0, 1].map((page) => list(`page=${page}&size=2`)));
    const rows: Json[] = pages.flatMap(({ content }) => content);
    expect(rows.map(({ refundAmount }) => refundAmount)).to.deep.equal([100, 150, 300, 200]);
    for (const row of rows)
      expect(await fixture.get(`/api/v1/refunds/${row.refundReference}`)).to.deep.equal(row);
    expect(rows[1]).to.include({ refundStatus: 'COMPLETED', refundReason: null });
    const last = { totalElements: 4, totalPages: 2, number: 1, size: 2, last: true };
    expect(pages[1]).to.include(last);
    for (const [filter, count] of [
      [`transactionReference=${encodeURIComponent(transactionReference)}`, 3],
      ['transactionReference=none', 0],
      ['refundStatus=PENDING', 3],
      ['from=0&to=9999999999999', 4],
      ['to=1', 0],
    ] as const)
      expect((await list(filter)).totalElements, filter).to.equal(count);
  });
});

describe('sandbox: disputes', () => {
  const fixture = forEachTest(openFixture);
  const dispute = (reference: string, outcome?: 'lost') =>
    fixture.control('/dispute', { reference, outcome });

  it('are notified, with the transaction reversed once they are lost', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await dispute(reference);
    await fixture.sandbox.idle();
    await dispute(reference, 'lost');
    const bodies = await fixture.notified();
    expect(bodies.map(({ event, data }) => `${event} ${data.transaction.status}`)).to.deep.equal([
      ...['charge.dispute.create success', 'charge.dispute.resolve reversed'],
    ]);
    expect(bodies[0].data)
      .to.include({ created_at: '2026-03-02T09:00:00.000Z' })
      .and.not.have.property('createdAt');
  });

  it('are of paid money alone, one at a time, and take no more than refunds left', async () => {
    expect((await dispute(await fixture.order())).status).to.equal(409);
    const reference = await fixture.sale();
    const replies = await Promise.all([1, 2].map(() => dispute(reference)));
    expect(statusesOf(replies)).to.deep.equal([200, 409]);
    await fixture.call('POST', '/refund', { transaction: reference, amount: 400_000 });
    await fixture.pass(1_000);
    await dispute(reference, 'lost');
    const [payment] = await fixture.payments(reference);
    expect(payment).to.include({ status: 'reversed', reversed_kobo: 500_000 });
    expect((await dispute(reference)).status).to.equal(409);
  });
});
