import { expect } from 'chai';
import type { Row } from '../../../domain/providers/adapter/read.ts';
import { expectErrors, expectStates, expectUnknown, type Reply } from './calls.ts';
import { options, refundId } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';

type Found = [fields: Row, found: object];

interface Refunds {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  payment: typeof paystack.payment;
  amountKobo: number;
  good(data: unknown): object;
  /** A refund as it is answered when it is made, and when it is read. */
  made(fields?: Row): Row;
  read(fields?: Row): Row;
  create: string;
  accepted: object;
  /** What is sent for a reason, of which some words are too long or on another line. */
  sent: [reason: string, body: string][];
  status: string;
  states: Record<string, string[]>;
  found: Found[];
  unclear: Row[];
  find: [providerRefundId: string, path: string];
  none: Reply[];
  /** Answers that are no refund, and do not say that there is none. */
  others: [reply: Reply, kind: string][];
}

const long = `a\n\u0000b ${'x'.repeat(500)}`;
const note = `${refundId}: They cannot come.`;
const cut = `${refundId}: a b ${'x'.repeat(196)}`;
const refunded_at = '2026-03-04T10:00:00.000Z';
const at = new Date(refunded_at);
const needsAccount = "Paystack needs the payer's bank account to send the money to.";
const sentTo = (fields: object) => JSON.stringify(fields);
const ofPaystack = { transaction: '4099260516', amount: 100_000, currency: 'NGN' };
const ofMonnify = `{"transactionReference":"${monnify.transactionReference}"`;
const paidOut = (disburse_status: unknown) => ({
  ...{ status: 'completed', meta: JSON.stringify({ disburse_status }) },
});
const [completed, processing] = [{ state: 'completed' }, { state: 'processing', message: null }];
const notPaidOut = 'Flutterwave took the money, but could not pay it out to the payer.';
const inProgress = 'Transaction refund is in progress.';
const completedOn = '02/03/2026 12:20:23 PM';
const completedAt = new Date('2026-03-02T11:20:23Z');

const providers: Refunds[] = [
  {
    ...{ provider: 'Paystack', accountAt: paystack.accountAt, good: paystack.good },
    ...{ payment: paystack.payment, amountKobo: 100_000, create: '/refund' },
    made: (fields) => paystack.refundRow({ transaction: { id: 4099260516 }, ...fields }),
    read: paystack.refundRow,
    accepted: { providerRefundId: '3018284', status: 'pending' },
    sent: [
      ['They cannot come.', sentTo({ ...ofPaystack, merchant_note: note })],
      [long, sentTo({ ...ofPaystack, merchant_note: cut })],
    ],
    status: 'status',
    states: {
      ...{ processing: ['pending', 'processing'], completed: ['processed', ' Processed'] },
      ...{ failed: ['failed'], attention: ['needs-attention'], unknown: ['reversed'] },
    },
    found: [
      [
        { status: 'processed', refunded_at, reason: 'x' },
        { completedAt: at, message: null },
      ],
      [{ status: 'processed' }, { completedAt: null, message: null }],
      [
        { status: 'failed', refunded_at, reason: ' Account\nclosed' },
        { completedAt: null, message: 'Account closed' },
      ],
      [{ status: 'failed' }, { completedAt: null, message: null }],
      [{ status: 'needs-attention', reason: 'Account closed' }, { message: 'Account closed' }],
      [{ status: 'needs-attention', reason: null }, { message: needsAccount }],
      [
        { status: 'pending', reason: 'x' },
        { completedAt: null, message: null },
      ],
      [{ amount: '5000' }, { amountKobo: 5_000 }],
    ],
    unclear: [{ id: null }, ...['50.5', -1, null].map((amount) => ({ amount }))],
    find: ['3018284', '/refund/3018284'],
    none: [[404, { status: false, message: 'Refund not found' }]],
    others: [[[404, '<html>Refund not found</html>'], 'unknown']],
  },
  {
    ...{ provider: 'Flutterwave', accountAt: flutterwave.accountAt, good: flutterwave.good },
    ...{ payment: flutterwave.payment, amountKobo: 100_050 },
    create: '/transactions/288200108/refund',
    made: (fields = {}) => ({
      ...{ id: 8612, account_id: 73362, tx_id: 288200108, amount_refunded: 1000.5 },
      ...{ status: 'completed', destination: 'payment_source', flw_ref: 'URF_1577867664541' },
      ...{ meta: { source: 'availablebalance' }, created_at: '2026-03-03T09:18:37.366Z' },
      ...fields,
    }),
    read: flutterwave.refundRow,
    accepted: { providerRefundId: '8612', status: 'completed' },
    sent: [
      ['They cannot come.', `{"amount":1000.50,"comments":"${note}"}`],
      [long, `{"amount":1000.50,"comments":"${cut}"}`],
    ],
    status: 'status',
    states: {
      processing: ['new', 'processing', 'pending-momo', 'completed', 'complete'],
      completed: [
        ...['completed-bank-transfer', 'completed-momo', 'completed-mpgs', ' Completed-MPGS'],
        ...['completed-offline', 'completed-preauth', 'successful'],
      ],
      ...{ failed: ['failed'], unknown: ['pending', 'completedish'] },
    },
    found: [
      // Whether the payout of a bare `completed` went through.
      ...['successful', 'SUCCEEDED'].map((status): Found => [paidOut(status), completed]),
      [{ ...paidOut('successful'), status: 'complete' }, completed],
      [{ status: 'completed', meta: { disburse_status: 'successful' } }, completed],
      [paidOut('failed'), { state: 'failed', message: notPaidOut }],
      ...['pending', 'constructor', '', null, 1].map(
        (status): Found => [...([paidOut(status), processing] as const)],
      ),
      [{ status: 'completed', meta: 'not JSON' }, processing],
      [
        { ...paidOut('successful'), status: 'failed' },
        { state: 'failed', message: null },
      ],
      [{ comment: null, comments: `by ${refundId}` }, { refundId }],
      ...[null, undefined, 7, 'ref_', 'A favour'].map(
        (comment): Found => [...([{ comment }, { refundId: null }] as const)],
      ),
      [{ amount_refunded: '1000.50' }, { amountKobo: 100_050 }],
    ],
    unclear: [
      ...['x', -1, 1.001, null].map((amount_refunded) => ({ amount_refunded })),
      ...[{ id: 8613 }, { id: null }],
    ],
    find: ['8612', '/refunds/8612'],
    none: [[404, flutterwave.bad('Refund not found')]],
    others: [
      [[404, flutterwave.bad('Resource not found')], 'refused'],
      [[404, '<html>Refund not found</html>'], 'unknown'],
      [[500, flutterwave.bad('Refund not found')], 'unknown'],
    ],
  },
  {
    ...{ provider: 'Monnify', accountAt: monnify.accountAt, good: monnify.ok },
    ...{ payment: monnify.payment, amountKobo: 10_050 },
    create: '/api/v1/refunds/initiate-refund',
    ...{ made: monnify.refundShape, read: monnify.refundShape },
    accepted: { providerRefundId: refundId, status: 'PENDING' },
    sent: [
      [`${'x'.repeat(63)}😀 and more\n`, `${'x'.repeat(63)}\ufffd`],
      [' \n', 'Refund'],
    ].map(([reason, refundReason]) => [
      reason!,
      `${ofMonnify},"refundReference":"${refundId}","refundAmount":100.50,"refundReason":"${refundReason}","customerNote":"Refund"}`,
    ]),
    status: 'refundStatus',
    states: {
      processing: ['INITIATED', 'PENDING', 'IN_PROGRESS'],
      completed: ['REFUNDED', 'COMPLETED', 'completed '],
      ...{ failed: ['FAILED'], unknown: ['REVERSED'] },
    },
    found: [
      // One that is completed, whose comment says that it is in progress, and that states no time.
      [{ refundStatus: 'COMPLETED', comment: inProgress, completedOn: '' }, processing],
      [{ refundStatus: 'COMPLETED', comment: inProgress, completedOn: null }, processing],
      [{ refundStatus: 'COMPLETED', comment: 'Refund In Progress' }, processing],
      [{ refundStatus: 'COMPLETED', comment: inProgress, completedOn }, { ...completed }],
      [{ refundStatus: 'COMPLETED', comment: 'Refund processed successfully.' }, completed],
      [{ refundStatus: 'COMPLETED', comment: null }, completed],
      [{ refundStatus: 'FAILED', comment: inProgress }, { state: 'failed' }],
      [
        { refundStatus: 'COMPLETED', completedOn, comment: 'x' },
        { completedAt, message: null },
      ],
      [
        { refundStatus: 'FAILED', completedOn, comment: ' Bank is\ndown ' },
        { completedAt: null, message: 'Bank is down' },
      ],
      [
        { refundStatus: 'FAILED', comment: null },
        { completedAt: null, message: null },
      ],
      [
        { refundStatus: 'PENDING', completedOn },
        { completedAt: null, message: null },
      ],
    ],
    unclear: [
      { refundReference: 'ref_other' },
      ...[null, '100.505'].map((refundAmount) => ({ refundAmount })),
    ],
    find: ['dash|1/2', '/api/v1/refunds/dash%7C1%2F2'],
    none: [
      ...[400, 404, 422].map(
        (status): Reply => [...([status, monnify.no('No refund was initiated', 'R7')] as const)],
      ),
      [404, monnify.no('Refund does not exist', 99)],
    ],
    others: [
      [[200, { ...monnify.ok(monnify.refundShape()), responseCode: 'R2' }], 'unknown'],
      [[404, { responseCode: 'R7' }], 'unknown'],
      [[404, monnify.no('Error occurred while processing your request')], 'unknown'],
      [[404, monnify.no('System error. Contact support.', 'M01')], 'unknown'],
      [[500, monnify.no('x', 'R7')], 'unknown'],
      [[429, monnify.no('x', 'R7')], 'limited'],
      [[422, monnify.no('x', '99')], 'refused'],
    ],
  },
];

for (const { provider, accountAt, payment, amountKobo, good, ...wire } of providers) {
  const order = { ...payment, refundId, amountKobo, reason: 'They cannot come.' };
  const create = async (reply: Reply, reason = order.reason) => {
    const { account, requests, bodies } = accountAt(reply);
    return { refund: await account.refund({ ...order, reason }, options), requests, bodies };
  };
  const isOurs = provider === 'Monnify';
  const findWith = (reply: Reply) => {
    const providerRefundId = isOurs ? null : wire.find[0];
    return accountAt(reply).account.findRefund({ refundId, providerRefundId, payment }, options);
  };
  const findAs = (fields: Row) => findWith([200, good(wire.read(fields))]);

  describe(`Creating a refund at ${provider}`, () => {
    it('sends our id, the exact amount and one line of the reason, as long as is allowed', async () => {
      const answer = good(wire.made());
      for (const [reason, body] of wire.sent) {
        const { refund, requests, bodies } = await create([200, answer], reason);
        expect(requests).to.deep.equal([`POST ${wire.create}`]);
        expect(bodies).to.deep.equal([body]);
        const { raw, ...fields } = refund;
        expect(fields).to.deep.equal({
          ...{ refundId, amountKobo, state: 'processing', message: null, completedAt: null },
          ...wire.accepted,
        });
        expect(JSON.parse(raw)).to.deep.equal(answer);
      }
    });

    it('has an unknown outcome where the answer holds no refund', async () => {
      const amounts = ['amount', 'amount_refunded', 'refundAmount'].map((name) => ({
        ...{ [name]: null },
      }));
      const odd = [{ id: null, refundReference: null }, Object.assign({}, ...amounts)];
      const bodies = [undefined, null, {}, ...odd.map((fields) => wire.made(fields))].map(good);
      await expectUnknown('refund', bodies, (body) => create([200, body]));
    });
  });

  describe(`A refund of ${provider}`, () => {
    it('has one of our states for each documented status, and is unknown with any other', () =>
      expectStates(
        wire.states,
        (status) => findAs({ [wire.status]: status }),
        isOurs ? 'toUpperCase' : 'toLowerCase',
      ));

    it('states when it completed, why it failed or waits, its amount and our id', async () => {
      for (const [fields, found] of wire.found)
        expect(await findAs(fields), JSON.stringify(fields)).to.deep.include(found);
    });

    it('is unknown where it is not clear, or another', () =>
      expectUnknown('find refund', wire.unclear, findAs));
  });

  describe(`Finding a refund at ${provider}`, () => {
    it('asks by its id; only the provider itself can say that there is none', async () => {
      const [providerRefundId, path] = wire.find;
      for (const reply of wire.none) {
        const { account, requests } = accountAt(reply);
        const wanted = { refundId, providerRefundId, payment };
        expect(await account.findRefund(wanted, options)).to.equal(undefined);
        expect(requests).to.deep.equal([`GET ${path}`]);
      }
      await expectErrors('find refund', wire.others, findWith);
    });
  });
}
