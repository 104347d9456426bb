import { expect } from 'chai';
import { errorOf, expectErrors, expectStates, type Reply } from '../calls.ts';
import {
  accountAt,
  no,
  ok,
  options,
  payment,
  refundId,
  refundShape,
  springPage,
  transactionReference,
} from './examples.ts';

const order = { ...payment, refundId, amountKobo: 10_050, reason: 'Two of five came back' };
const wanted = { refundId, providerRefundId: null, payment };
const unclear: Reply[] = [
  [200, { ...ok(refundShape()), responseCode: 'R2' }],
  [200, ok(refundShape({ refundReference: 'ref_other' }))],
  [200, ok({})],
  [200, ok(refundShape({ refundAmount: null }))],
  [200, ok(refundShape({ refundAmount: '100.505' }))],
];

describe('Creating a refund at Monnify', () => {
  const create = async (reply: Reply, reason = order.reason) => {
    const { account, bodies } = accountAt(reply);
    return { refund: await account.refund({ ...order, reason }, options), sent: bodies[0]! };
  };

  it('sends our id, exact naira, and texts of at most the documented length', async () => {
    const answer = ok(refundShape());
    const { refund, sent } = await create([200, answer], `${'x'.repeat(63)}😀 and more\n`);
    expect(sent).to.include('"refundAmount":100.50,');
    expect(JSON.parse(sent)).to.deep.equal({
      ...{ transactionReference, refundReference: refundId, refundAmount: 100.5 },
      ...{ refundReason: `${'x'.repeat(63)}\ufffd`, customerNote: 'Refund' },
    });
    expect(refund).to.deep.equal({
      ...{ providerRefundId: refundId, refundId, amountKobo: 10_050, state: 'processing' },
      ...{ status: 'PENDING', message: null, completedAt: null, raw: JSON.stringify(answer) },
    });
    const empty = await create([200, answer], ' \n');
    expect(JSON.parse(empty.sent).refundReason).to.equal('Refund');
  });

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

  it('has an unknown outcome after any other answer', async () => {
    const others: Reply[] = [
      [500, no('Refund not permitted', 'R2')],
      ...[400, 404, 422].flatMap((status): Reply[] => [
        [status, no('Error occurred while processing your request')],
        [status, no('System error. Contact support.', 'M01')],
        [status, no('System error. Contact support.', 'M02')],
        [status, no('In other words')],
      ]),
      [400, no('There was an error processing the request, Please try again later...')],
      [200, no('Something went wrong')],
      [403, { error: 'R2' }],
    ];
    for (const reply of [...unclear, ...others])
      expect(await errorOf(create(reply)), JSON.stringify(reply)).to.include({
        kind: 'unknown',
        stage: 'refund',
      });
  });
});

describe('Finding a refund at Monnify', () => {
  const findWith = (reply: Reply) => accountAt(reply).account.findRefund(wanted, options);
  const findAs = (overrides: Record<string, unknown>) =>
    findWith([200, ok(refundShape(overrides))]);

  it('reads one of our states for each documented status, and unknown for any other', async () => {
    const states = {
      processing: ['INITIATED', 'PENDING', 'IN_PROGRESS'],
      completed: ['REFUNDED', 'COMPLETED', 'completed '],
      ...{ failed: ['FAILED'], unknown: ['REVERSED'] },
    };
    const read = async (refundStatus: unknown) => findAs({ refundStatus });
    await expectStates(states, read, 'toUpperCase');
  });

  it('is in progress while it is completed, its comment says so, and it states no time', async () => {
    const comment = 'Transaction refund is in progress.';
    const completedOn = '02/03/2026 12:20:23 PM';
    const rows: [fields: Record<string, unknown>, state: string][] = [
      [{ comment, completedOn: '' }, 'processing'],
      [{ comment, completedOn: null }, 'processing'],
      [{ comment: 'Refund In Progress' }, 'processing'],
      [{ comment, completedOn }, 'completed'],
      [{ comment: 'Refund processed successfully.' }, 'completed'],
      [{ comment: null }, 'completed'],
    ];
    for (const [fields, state] of rows)
      expect(
        await findAs({ refundStatus: 'COMPLETED', ...fields }),
        JSON.stringify(fields),
      ).to.include({ state, status: 'COMPLETED' });
    expect(await findAs({ refundStatus: 'FAILED', comment })).to.include({ state: 'failed' });
  });

  it('reads when it completed, and why it failed', async () => {
    const completedOn = '02/03/2026 12:20:23 PM';
    const at = new Date('2026-03-02T11:20:23Z');
    const comment = ' Bank is\ndown ';
    const rows: [fields: Record<string, unknown>, completedAt: Date | null, message: unknown][] = [
      [{ refundStatus: 'COMPLETED', completedOn, comment }, at, null],
      [{ refundStatus: 'FAILED', completedOn, comment }, null, 'Bank is down'],
      [{ refundStatus: 'FAILED', comment: null }, null, null],
      [{ refundStatus: 'PENDING', completedOn }, null, null],
    ];
    for (const [fields, completedAt, message] of rows)
      expect(await findAs(fields), JSON.stringify(fields)).to.deep.include({
        completedAt,
        message,
      });
  });

  it('finds none only where Monnify itself says so', async () => {
    const none: Reply[] = [
      ...[400, 404, 422].map((status): Reply => [status, no('No refund was initiated', 'R7')]),
      [404, no('Refund does not exist', 99)],
    ];
    for (const reply of none)
      expect(await findWith(reply), JSON.stringify(reply)).to.equal(undefined);
    const others: [reply: Reply, kind: string][] = [
      [[404, { responseCode: 'R7' }], 'unknown'],
      [[404, no('Error occurred while processing your request')], 'unknown'],
      [[404, no('System error. Contact support.', 'M01')], 'unknown'],
      [[500, no('x', 'R7')], 'unknown'],
      [[429, no('x', 'R7')], 'limited'],
      [[422, no('x', '99')], 'refused'],
      ...unclear.map((reply): [Reply, string] => [reply, 'unknown']),
    ];
    await expectErrors('find refund', others, findWith);
  });

  it("asks by Monnify's encoded reference where it is known; only ours is our id", async () => {
    const { account, requests } = accountAt([
      200,
      ok(refundShape({ refundReference: 'dash|1/2' })),
    ]);
    const found = await account.findRefund({ ...wanted, providerRefundId: 'dash|1/2' }, options);
    expect(requests).to.deep.equal(['GET /api/v1/refunds/dash%7C1%2F2']);
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
