import { expect } from 'chai';
import { errorOf, expectErrors, type Reply } from '../calls.ts';
import {
  accountAt,
  no,
  ok,
  options,
  payment,
  refundId,
  refundShape,
  springPage,
} from './examples.ts';

describe('Creating a refund at Monnify', () => {
  const create = (reply: Reply) =>
    accountAt(reply).account.refund(
      { ...payment, refundId, amountKobo: 10_050, reason: 'Two of five came back' },
      options,
    );

  it('explains each documented code', async () => {
    const own = 'In its own words';
    const bankAccount = 'Monnify knows no valid bank account of the payer to send the money to.';
    const wallet =
      'The Monnify wallet does not hold enough for this refund. Top it up and ask again.';
    const transfers = 'Monnify does not refund this payment: it refunds bank transfers only.';
    const codes: [code: string, kind: string, message: string][] = [
      ['R1', 'refused', 'Monnify knows no such payment.'],
      ['R2', 'refused', transfers],
      ['R3', 'refused', 'The refund is more than the payment.'],
      ['R4', 'refused', 'Monnify refunds no less than ₦100.'],
      ['R5', 'refused', wallet],
      ['R6', 'refused', bankAccount],
      ['R8', 'refused', 'A text that goes with the refund is too long for Monnify.'],
      ['R9', 'duplicate', own],
      ['R10', 'retryable', own],
      ['R11', 'retryable', own],
      ['R12', 'refused', 'The refunds of this payment together are more than it.'],
    ];
    for (const [code, kind, message] of codes) {
      const error = await errorOf(create([code === 'R1' ? 404 : 422, no(own, code)]));
      expect(error, code).to.deep.equal({ kind, stage: 'refund', message });
    }
    expect((await errorOf(create([200, no(own, 'R2')]))).kind).to.equal('refused');
  });

  it('has an unknown outcome after a refusal in other words', async () => {
    for (const status of [400, 404, 422])
      for (const code of ['99', 'R99', 'M01'])
        expect((await errorOf(create([status, no('Other', code)]))).kind).to.equal('unknown');
  });
});

describe('Finding a refund at Monnify', () => {
  it('states our id only where the reference is ours', async () => {
    const answer = ok(refundShape({ refundReference: 'dash|1/2' }));
    const wanted = { refundId, providerRefundId: 'dash|1/2', payment };
    const found = await accountAt([200, answer]).account.findRefund(wanted, options);
    expect(found).to.include({ providerRefundId: 'dash|1/2', refundId: null });
  });
});

describe('Listing the refunds of a payment at Monnify', () => {
  const list = (...replies: Reply[]) =>
    accountAt(...replies).account.listRefunds!(payment, options);
  const page = (content: object[], last: unknown = false): Reply => [
    200,
    springPage(content, last),
  ];
  const foreign = (createdOn: string) =>
    refundShape({ transactionReference: 'MNFY|1', refundReference: `of ${createdOn}`, createdOn });

  it('asks for those of the payment', async () => {
    const { account, requests } = accountAt(page([refundShape()], true));
    expect(await account.listRefunds!(payment, options)).to.have.length(1);
    const filter = 'transactionReference=MNFY%7C98%7C20260302101424%7C260516';
    expect(requests).to.deep.equal([`GET /api/v1/refunds?${filter}&page=0&size=100`]);
  });

  it('leaves out those of other payments, where the filter is ignored, and lists each once', async () => {
    const manual = refundShape({ refundReference: 'dashboard-1' });
    const refunds = await list(
      page([foreign('04/03/2026 9:00:00 AM'), manual]),
      page([manual, foreign('soon'), refundShape({ refundReference: `again-${refundId}` })]),
      page([refundShape({ refundAmount: '20.00', refundStatus: 'COMPLETED' })], true),
    );
    expect(
      refunds.map((refund) => [refund.providerRefundId, refund.refundId, refund.amountKobo]),
    ).to.deep.equal([
      ['dashboard-1', null, 10_050],
      [`again-${refundId}`, null, 10_050],
      [refundId, refundId, 2_000],
    ]);
    expect(JSON.parse(refunds[2]!.raw)).to.include({ refundReference: refundId });
    expect(await list(page([], true))).to.deep.equal([]);
  });

  it('stops at refunds older than the payment, but only while the newest come first', async () => {
    const sorted = [
      page([refundShape(), foreign('01/03/2026 10:15:03 AM')]),
      page([foreign('01/03/2026 10:15:01 AM')]),
    ];
    expect(await list(...sorted)).to.have.length(1);
    const unsorted = [
      page([foreign('01/01/2026 9:00:00 AM'), foreign('02/01/2026 9:00:00 AM')]),
      page([foreign('03/01/2026 9:00:00 AM')]),
      page([refundShape()], true),
    ];
    expect(await list(...unsorted)).to.have.length(1);
  });

  it('fails where a refund of the payment is not clear, or the list has more than 20 pages', async () => {
    const tooMany = Array.from({ length: 20 }, (_, n) =>
      page([refundShape({ refundReference: `dashboard-${n}` })]),
    );
    const failure = await errorOf(list(...tooMany));
    expect(failure).to.include({ kind: 'unknown', message: 'the list has more than 20 pages' });
    const broken: [second: Reply, kind: string][] = [
      [[500, no('An error occurred')], 'unknown'],
      [[403, no('Refunds are not enabled')], 'refused'],
      [page([refundShape({ refundReference: null })]), 'unknown'],
      [page([refundShape({ refundAmount: 'some' })]), 'unknown'],
    ];
    await expectErrors('list refunds', broken, (second) => list(page([refundShape()]), second));
  });
});
