import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import type { Json } from '../json.ts';
import { type MonnifyFixture, openMonnify } from './monnify-fixture.ts';

let lastNumber = 0;

function newRefund(sale: Json, fields: object = {}) {
  lastNumber += 1;
  const { transactionReference } = sale;
  const refundReference = `rfd_${Date.now()}_${lastNumber}`;
  const reasons = { refundReason: 'Goods were damaged', customerNote: 'Rice refund' };
  return { transactionReference, refundReference, refundAmount: 5000, ...reasons, ...fields };
}

const post = (fixture: MonnifyFixture, body: object) =>
  fixture.monnify('POST', '/api/v1/refunds/initiate-refund', body);
const get = async (fixture: MonnifyFixture, reference: string) =>
  (await fixture.monnify('GET', `/api/v1/refunds/${reference}`)).body.responseBody;

describe('sandbox: refunds at Monnify', () => {
  const fixture = forEachTest(openMonnify);

  it('refuses one by its code', async () => {
    const sale = await fixture.pay();
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
      const reply = await post(fixture, newRefund(sale, fields));
      expect(reply.status, responseCode).to.equal(status);
      expect(reply.body).to.include({ requestSuccessful: false, responseCode });
    }
    expect((await fixture.control('GET', '/stats')).body.monnify.refunds).to.equal(0);
  });

  it('refuses with R9 a reference that was used, also at the same time, whatever else is asked, and with R12 more than is left', async () => {
    const sale = await fixture.pay();
    const order = newRefund(sale);
    const replies = await Promise.all([1, 2, 3].map(() => post(fixture, order)));
    expect(replies.map(({ body }) => body.responseCode).sort()).to.deep.equal(['0', 'R9', 'R9']);
    const { transactionReference } = await fixture.pay();
    const codeOf = async (refund: object) => (await post(fixture, refund)).body.responseCode;
    expect(await codeOf({ ...order, transactionReference, refundAmount: 1 })).to.equal('R9');
    expect(await codeOf(newRefund(sale, { refundAmount: 100 }))).to.equal('R12');
  });

  it('notifies a refund once, when it has ended', async () => {
    const silent = () => fixture.pay(5000, { notify: false });
    const completing = newRefund(await silent(), { refundAmount: 2000.5 });
    const failing = await silent();
    const failure = { reference: failing.paymentReference, outcome: 'failed' };
    await fixture.control('POST', '/refund', failure);
    await post(fixture, completing);
    await post(fixture, newRefund(failing));
    await fixture.pass(1_000);
    const notified = fixture.receiver.received.map(({ body }) => body as Json);
    const types = ['SUCCESSFUL_REFUND', 'FAILED_REFUND'];
    expect(notified.map(({ eventType }) => eventType)).to.have.members(types);
    const { eventData } = notified.find(({ eventType }) => eventType === 'SUCCESSFUL_REFUND');
    const { refundReference, transactionReference } = completing;
    expect(eventData).to.deep.equal({
      ...{ refundReference, transactionReference, refundAmount: 2000.5 },
      ...{ merchantReason: 'Goods were damaged', customerNote: 'Rice refund' },
      ...{ refundStatus: 'COMPLETED', createdOn: '02/03/2026 10:00:00 AM' },
      completedOn: '02/03/2026 10:00:01 AM',
    });
  });

  it('lists refunds newest first, those made in the dashboard under a name of its own', async () => {
    const sale = await fixture.pay();
    const orders = [newRefund(sale, { refundAmount: 200 }), newRefund(sale, { refundAmount: 300 })];
    for (const order of orders) await post(fixture, order);
    const byHand = { reference: sale.paymentReference, now: true, amount_kobo: 15_000 };
    await fixture.control('POST', '/refund', byHand);
    const pages = await Promise.all(
      [0, 1].map((page) => fixture.monnify('GET', `/api/v1/refunds?page=${page}&size=2`)),
    );
    const listed = pages.flatMap(({ body }) => body.responseBody.content);
    expect(listed.map((row: Json) => row.refundAmount)).to.deep.equal([150, 300, 200]);
    expect(listed[1]).to.deep.equal(await get(fixture, orders[1]!.refundReference));
    expect(listed[0]).to.include({ refundStatus: 'COMPLETED', refundReason: null });
    expect(await get(fixture, listed[0].refundReference)).to.deep.equal(listed[0]);
    const last = { totalElements: 3, totalPages: 2, number: 1, size: 2, last: true };
    expect(pages[1]!.body.responseBody).to.include(last);
  });

  it('lists those of a transaction, a status or a time, and refuses a filter it cannot read', async () => {
    const [one, other] = [await fixture.pay(), await fixture.pay()];
    for (const sale of [one, other]) await post(fixture, newRefund(sale));
    const listed = async (filter: Record<string, string>) =>
      (await fixture.monnify('GET', `/api/v1/refunds?${new URLSearchParams(filter)}`)).body;
    const { transactionReference } = other;
    const found = (await listed({ transactionReference })).responseBody.content;
    expect(found).to.have.length(1);
    expect(found[0]).to.include({ transactionReference });
    const counts: [filter: Record<string, string>, count: number][] = [
      [{ transactionReference: 'MNFY|none' }, 0],
      [{ refundStatus: 'PENDING' }, 2],
      [{ refundStatus: 'COMPLETED', transactionReference }, 0],
      [{ from: '0', to: '9999999999999' }, 2],
      [{ to: '1' }, 0],
    ];
    for (const [filter, count] of counts) {
      const { totalElements } = (await listed(filter)).responseBody;
      expect(totalElements, JSON.stringify(filter)).to.equal(count);
    }
    for (const filter of [{ refundStatus: 'some' }, { from: 'today' }])
      expect(await listed(filter)).to.include({ requestSuccessful: false });
  });

  it('answers R7 for a refund it does not know, nor gives away one under its number', async () => {
    await post(fixture, newRefund(await fixture.pay()));
    for (const reference of ['nosuch', 'MNFYRFD3018284']) {
      const { status, body } = await fixture.monnify('GET', `/api/v1/refunds/${reference}`);
      expect(status).to.equal(404);
      expect(body).to.include({ requestSuccessful: false, responseCode: 'R7' });
    }
  });
});
