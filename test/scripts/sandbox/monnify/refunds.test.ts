import { expect } from 'chai';
import type { Json } from '../json.ts';
import { type MonnifyFixture, openMonnify } from './monnify-fixture.ts';

let lastNumber = 0;

function newRefund(sale: Json, fields: object = {}) {
  lastNumber += 1;
  return {
    transactionReference: sale.transactionReference,
    refundReference: `rfd_${Date.now()}_${lastNumber}`,
    refundAmount: 5000,
    refundReason: 'Goods were damaged',
    customerNote: 'Rice refund',
    ...fields,
  };
}

const post = (fixture: MonnifyFixture, body: object) =>
  fixture.monnify('POST', '/api/v1/refunds/initiate-refund', body);
const get = async (fixture: MonnifyFixture, reference: string) =>
  (await fixture.monnify('GET', `/api/v1/refunds/${reference}`)).body.responseBody;
const statusOf = async (fixture: MonnifyFixture, sale: Json) =>
  (await fixture.query(sale.paymentReference)).paymentStatus;

describe('sandbox: refunds at Monnify', () => {
  it('takes a full refund, completes it a second later and shows the payment as reversed', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    const order = newRefund(sale);
    const { status, body } = await post(fixture, order);
    expect(status).to.equal(200);
    expect(body).to.include({
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
    });
    const pending = {
      ...order,
      refundType: 'FULL_REFUND',
      refundStatus: 'PENDING',
      refundStrategy: 'MERCHANT_WALLET',
      comment: 'Refund is being processed',
      createdOn: '02/03/2026 10:00:00 AM',
    };
    expect(body.responseBody).to.deep.equal(pending);
    await fixture.pass(999);
    expect(await get(fixture, order.refundReference)).to.deep.equal(pending);
    expect(await statusOf(fixture, sale)).to.equal('PAID');
    await fixture.pass(1);
    expect(await get(fixture, order.refundReference)).to.deep.equal({
      ...pending,
      refundStatus: 'COMPLETED',
      comment: 'Refund processed successfully',
      completedOn: '02/03/2026 10:00:01 AM',
    });
    expect(await statusOf(fixture, sale)).to.equal('REVERSED');
  });

  it('takes parts until all is back, and leaves the payment paid until then', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    expect(
      (await post(fixture, newRefund(sale, { refundAmount: 4899.5 }))).body.responseBody.refundType,
    ).to.equal('PARTIAL_REFUND');
    await fixture.pass(1_000);
    expect(await statusOf(fixture, sale)).to.equal('PAID');
    expect((await post(fixture, newRefund(sale, { refundAmount: 100.5 }))).status).to.equal(200);
    await fixture.pass(1_000);
    expect(await statusOf(fixture, sale)).to.equal('REVERSED');
  });

  for (const [code, fault, status, fields] of [
    [
      'R1',
      'a transaction it does not know',
      404,
      { transactionReference: 'MNFY|01|20260302100000|000001' },
    ],
    ['R3', 'more than the transaction', 422, { refundAmount: 5000.01 }],
    ['R4', 'less than ₦100', 422, { refundAmount: 99.99 }],
    ['R8', 'a reason above 64 characters', 422, { refundReason: 'x'.repeat(65) }],
    ['R8', 'a note above 16 characters', 422, { customerNote: 'x'.repeat(17) }],
    ['99', 'an amount that is none', 400, { refundAmount: 'all' }],
    ['99', 'no reference', 400, { refundReference: undefined }],
  ] as const) {
    it(`refuses ${fault} with ${code}`, async () => {
      await using fixture = await openMonnify();
      const reply = await post(fixture, newRefund(await fixture.pay(), fields));
      expect(reply.status).to.equal(status);
      expect(reply.body).to.include({ requestSuccessful: false, responseCode: code });
      expect((await fixture.control('GET', '/stats')).body.monnify.refunds).to.equal(0);
    });
  }

  it('takes texts that are just short enough', async () => {
    await using fixture = await openMonnify();
    const fields = {
      refundReason: 'x'.repeat(64),
      customerNote: 'y'.repeat(16),
      refundAmount: 100,
    };
    expect((await post(fixture, newRefund(await fixture.pay(), fields))).status).to.equal(200);
  });

  it('refuses with R2 what was not paid by transfer, and what was not paid', async () => {
    await using fixture = await openMonnify();
    for (const sale of [
      await fixture.pay(5000, { channel: 'card' }),
      await fixture.pay(5000, { channel: 'ussd' }),
      await fixture.init(),
    ]) {
      expect((await post(fixture, newRefund(sale))).body.responseCode).to.equal('R2');
    }
  });

  it('refuses with R9 a reference that was used, whatever else is asked, and with R12 more than is left', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    const order = newRefund(sale);
    await post(fixture, order);
    expect((await post(fixture, order)).body.responseCode).to.equal('R9');
    const elsewhere = {
      ...order,
      transactionReference: (await fixture.pay()).transactionReference,
      refundAmount: 1,
    };
    expect((await post(fixture, elsewhere)).body.responseCode).to.equal('R9');
    expect(
      (await post(fixture, newRefund(sale, { refundAmount: 100 }))).body.responseCode,
    ).to.equal('R12');
  });

  it('accepts one of two under the same reference at once, and tells the other of it', async () => {
    await using fixture = await openMonnify();
    const order = newRefund(await fixture.pay());
    const replies = await Promise.all([1, 2, 3].map(() => post(fixture, order)));
    expect(replies.map(({ body }) => body.responseCode).sort()).to.deep.equal(['0', 'R9', 'R9']);
  });

  it('never lets refunds at once add up to more than was paid', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    const replies = await Promise.all(
      [1, 2, 3].map(() => post(fixture, newRefund(sale, { refundAmount: 2000 }))),
    );
    expect(replies.map(({ body }) => body.responseCode).sort()).to.deep.equal(['0', '0', 'R12']);
  });

  it('lets the next refund fail on demand, which leaves the payment paid and may be asked again', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    await fixture.control('POST', '/refund', {
      reference: sale.paymentReference,
      outcome: 'failed',
    });
    const failing = newRefund(sale);
    await post(fixture, failing);
    await fixture.pass(1_000);
    expect(await get(fixture, failing.refundReference)).to.include({
      refundStatus: 'FAILED',
      completedOn: '02/03/2026 10:00:01 AM',
    });
    expect(await statusOf(fixture, sale)).to.equal('PAID');
    expect((await post(fixture, newRefund(sale))).status).to.equal(200);
  });

  it('tells of a refund once, when it has ended', async () => {
    await using fixture = await openMonnify();
    const completing = newRefund(await fixture.pay(5000, { notify: false }), {
      refundAmount: 2000.5,
    });
    const failing = await fixture.pay(5000, { notify: false });
    await fixture.control('POST', '/refund', {
      reference: failing.paymentReference,
      outcome: 'failed',
    });
    await post(fixture, completing);
    await post(fixture, newRefund(failing));
    await fixture.pass(1_000);
    const told = fixture.receiver.received.map(({ body }) => body as Json);
    expect(told.map(({ eventType }) => eventType)).to.have.members([
      'SUCCESSFUL_REFUND',
      'FAILED_REFUND',
    ]);
    expect(told.find(({ eventType }) => eventType === 'SUCCESSFUL_REFUND').eventData).to.deep.equal(
      {
        merchantReason: 'Goods were damaged',
        transactionReference: completing.transactionReference,
        completedOn: '02/03/2026 10:00:01 AM',
        refundStatus: 'COMPLETED',
        customerNote: 'Rice refund',
        createdOn: '02/03/2026 10:00:00 AM',
        refundReference: completing.refundReference,
        refundAmount: 2000.5,
      },
    );
  });

  it('lists refunds newest first, those made in the dashboard under a name of its own', async () => {
    await using fixture = await openMonnify();
    const sale = await fixture.pay();
    const orders = [newRefund(sale, { refundAmount: 200 }), newRefund(sale, { refundAmount: 300 })];
    for (const order of orders) await post(fixture, order);
    await fixture.control('POST', '/refund', {
      reference: sale.paymentReference,
      now: true,
      amount_kobo: 15_000,
    });
    const pages = await Promise.all(
      [0, 1].map((page) => fixture.monnify('GET', `/api/v1/refunds?page=${page}&size=2`)),
    );
    const listed = pages.flatMap(({ body }) => body.responseBody.content);
    expect(listed.map((row: Json) => row.refundAmount)).to.deep.equal([150, 300, 200]);
    expect(listed[1]).to.deep.equal(await get(fixture, orders[1]!.refundReference));
    expect(listed[0]).to.include({ refundStatus: 'COMPLETED', refundReason: null });
    expect(await get(fixture, listed[0].refundReference)).to.deep.equal(listed[0]);
    expect(pages[1]!.body.responseBody).to.include({
      totalElements: 3,
      totalPages: 2,
      number: 1,
      size: 2,
      last: true,
    });
  });

  it('answers R7 for a refund it does not know, nor gives away one under its number', async () => {
    await using fixture = await openMonnify();
    const order = newRefund(await fixture.pay());
    await post(fixture, order);
    for (const reference of ['nosuch', 'MNFYRFD3018284']) {
      const { status, body } = await fixture.monnify('GET', `/api/v1/refunds/${reference}`);
      expect(status).to.equal(404);
      expect(body).to.include({ requestSuccessful: false, responseCode: 'R7' });
    }
  });
});
