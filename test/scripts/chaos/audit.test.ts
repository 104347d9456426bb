import { expect } from 'chai';
import { audit } from '../../../scripts/chaos/audit.ts';
import type { CountName } from '../../../scripts/chaos/findings.ts';
import type { ChaosRecords } from '../../../scripts/chaos/records.ts';

function soundRecords(): ChaosRecords {
  const tenantId = 'ten_1';
  const ofCharge = { chargeReference: 'SV-1', amountKobo: 500, recordedAtMs: 1_020, lostKobo: 0 };
  const attempt = { connectionId: 'con_1', attemptReference: 'SV-1-abc' };
  const applied = { status: 'applied', isReviewed: false } as const;
  const duplicate = { status: 'duplicate' } as const;
  const payment = { connectionId: 'con_1', reference: 'SV-1-abc', isAlone: false, paidKobo: 500 };
  const paid = {
    ...{ ...payment, paidAtMs: 1_000, notifiedAtMs: 1_010, takenKobo: 0, lostKobo: 0 },
    ...{ returnedAtMs: null, dispute: null, isReturnTold: false },
  };
  const events = [
    { id: 'evt_1', tenantId, type: 'charge.succeeded', subject: 'SV-1' },
    { id: 'evt_2', tenantId, type: 'refund.completed', subject: 'ref_1' },
    { id: 'evt_3', tenantId, type: 'refund.requested', subject: 'ref_1' },
    { id: 'evt_4', tenantId, type: 'refund.approved', subject: 'ref_1' },
  ];
  return {
    orders: [{ tenantId, email: 'a@b.example', reference: 'SV-1' }],
    refunds: [{ tenantId, id: 'ref_1', isApproved: true }],
    refusals: [],
    transactions: [
      {
        ...{ reference: 'SV-1', email: 'a@b.example', status: 'succeeded' },
        ...{ amountKobo: 500, refundedKobo: 200 },
      },
    ],
    captures: [
      { ...ofCharge, ...attempt, id: 'cap_7', providerPaymentId: '7', ...applied },
      { ...ofCharge, ...attempt, id: 'cap_8', providerPaymentId: '8', ...applied, ...duplicate },
    ],
    knownRefunds: [
      {
        ...{ id: 'ref_1', chargeReference: 'SV-1', status: 'completed', origin: 'merchant' },
        ...{ captureId: 'cap_7', amountKobo: 200, needsAttention: false },
      },
      {
        ...{ id: 'ref_2', chargeReference: 'SV-1', status: 'completed', origin: 'system' },
        ...{ captureId: 'cap_8', amountKobo: 500, needsAttention: false },
      },
    ],
    events,
    payments: [
      { ...paid, id: 7 },
      { ...paid, id: 8 },
    ],
    providerRefunds: [
      { paymentId: 7, refundId: 'ref_1', amountKobo: 200, status: 'completed' },
      { paymentId: 8, refundId: 'ref_2', amountKobo: 500, status: 'completed' },
    ],
    resentAfterAccept: 0,
    eventsReadAtMs: 2_000,
    received: events.map(({ id, type, subject }) => ({
      ...{ tenantId, eventId: id, type, subject, atMs: 1_100, isSigned: true },
    })),
    read: new Map([[tenantId, events.map(({ id }) => id)]]),
    stuck: [],
    wrongFigures: [],
    wrongBooks: [],
    unexpectedEnds: [],
  };
}

type Counts = Partial<Record<CountName, number>>;
type Change = (records: ChaosRecords) => unknown;
type Table = Exclude<keyof ChaosRecords, 'read' | 'resentAfterAccept' | 'eventsReadAtMs'>;

const all =
  (...changes: Change[]): Change =>
  (records) =>
    changes.forEach((change) => void change(records));
const changed =
  (table: Table, fields: object, at = 0): Change =>
  (records) =>
    Object.assign(records[table][at]!, fields);
const added =
  (table: Table, fields: object): Change =>
  (records) =>
    (records[table] as object[]).push({ ...(records[table][0] as object), ...fields });
const inOrder = ['evt_1', 'evt_2', 'evt_3', 'evt_4'];
const readBy =
  (...events: string[]): Change =>
  (records) =>
    Object.assign(records, { read: new Map([['ten_1', events]]) });

const told = { isReturnTold: true };
const reversed = (atMs: number) => ({ takenKobo: 500, returnedAtMs: atMs });

const neverPublished =
  (id: string): Change =>
  (records) => {
    records.events = records.events.filter((event) => event.id !== id);
    records.received = records.received.filter(({ eventId }) => eventId !== id);
    readBy(...records.events.map((event) => event.id))(records);
  };
const withoutRefund: Change = ({ refunds, knownRefunds, providerRefunds, transactions }) => {
  refunds.pop();
  knownRefunds.shift();
  providerRefunds.shift();
  transactions[0]!.refundedKobo = 0;
};
const recordReversal = (atMs: number): Change =>
  all(
    changed('payments', { ...reversed(atMs), ...told }),
    ({ refunds, providerRefunds }) => [refunds.pop(), providerRefunds.shift()],
    changed('knownRefunds', { origin: 'provider', amountKobo: 500 }),
    changed('transactions', { status: 'refunded', refundedKobo: 500 }),
  );

function countsAfter(change: Change): Counts {
  const records = soundRecords();
  change(records);
  const counts: Counts = {};
  for (const { count } of audit(records)) counts[count] = (counts[count] ?? 0) + 1;
  return counts;
}

const cases: Record<string, [change: Change, Counts]> = {
  'a charge that is not listed': [
    added('orders', { email: 'x@b.example', reference: 'SV-9' }),
    { lost_charges: 1 },
  ],
  'two charges of one order': [
    added('transactions', { reference: 'SV-2', status: 'failed', refundedKobo: 0 }),
    { duplicate_charges: 1 },
  ],
  'a payment that is not known': [({ captures }) => captures.pop(), { lost_payments: 1 }],
  'a payment of another amount': [changed('payments', { paidKobo: 600 }), { wrong_state: 1 }],
  'two payments that are kept': [
    changed('captures', { status: 'applied' }, 1),
    { duplicate_provider_charges: 1 },
  ],
  'a second payment that is not sent back': [
    (records) => {
      records.providerRefunds.pop();
      records.knownRefunds.pop();
    },
    { lost_refunds: 1 },
  ],
  'a reference that was sent again': [
    (records) => Object.assign(records, { resentAfterAccept: 2 }),
    { duplicate_provider_charges: 2 },
  ],
  'a paid charge that failed': [changed('transactions', { status: 'failed' }), { wrong_state: 1 }],
  'a charge that can be paid nowhere': [
    added('transactions', {
      ...{ reference: 'SV-2', email: 'b@b.example', status: 'initiated', refundedKobo: 0 },
    }),
    { stuck: 1 },
  ],
  'an outcome without its event': [neverPublished('evt_1'), { lost_events: 1 }],
  'a request and an approval without their events': [
    all(neverPublished('evt_3'), neverPublished('evt_4')),
    { lost_events: 2 },
  ],
  'a charge that succeeded twice': [
    all(
      added('events', { id: 'evt_5' }),
      added('received', { eventId: 'evt_5' }),
      readBy(...inOrder, 'evt_5'),
    ),
    { duplicate_events: 1 },
  ],
  'an event that a reader read twice': [readBy('evt_1', ...inOrder), { duplicate_events: 1 }],
  'an event that was not delivered': [
    (records) => Object.assign(records, { received: records.received.slice(1) }),
    { lost_events: 1 },
  ],
  'a delivery with a wrong signature': [
    changed('received', { isSigned: false }),
    { lost_events: 1, wrong_state: 1 },
  ],
  'a delivery to another merchant': [
    changed('received', { tenantId: 'ten_2' }),
    { lost_events: 1, wrong_state: 1 },
  ],
  'an event that a reader skipped': [readBy(...inOrder.slice(1)), { lost_events: 1 }],
  'a feed in another order': [readBy(...inOrder.toReversed()), { wrong_state: 1 }],
  'a refund that is final at the provider only': [
    all(
      changed('knownRefunds', { status: 'processing' }),
      neverPublished('evt_2'),
      changed('transactions', { refundedKobo: 0 }),
    ),
    { lost_refunds: 2 },
  ],
  'a refund that no provider made': [
    ({ providerRefunds }) => providerRefunds.shift(),
    { wrong_state: 1 },
  ],
  'a refund that was sent twice': [added('providerRefunds', {}), { refund_overpaid: 1 }],
  'more money back than was paid': [
    changed('providerRefunds', { amountKobo: 501 }),
    { refund_overpaid: 1 },
  ],
  'a charge whose refunds do not add up': [
    changed('transactions', { refundedKobo: 100 }),
    { wrong_state: 1 },
  ],
  'a charge that too little paid': [
    all(changed('captures', { amountKobo: 400 }), changed('payments', { paidKobo: 400 })),
    { wrong_state: 1 },
  ],
  'too much that nobody is asked about': [
    all(changed('captures', { amountKobo: 600 }), changed('payments', { paidKobo: 600 })),
    { wrong_state: 1 },
  ],
  'a reversal that the provider told, and nothing shows': [
    all(withoutRefund, changed('payments', { ...reversed(9_000), ...told })),
    { wrong_state: 1 },
  ],
  'a payment recorded long after its reversal as if it were there': [
    all(
      withoutRefund,
      changed('payments', reversed(9_000)),
      changed('captures', { recordedAtMs: 90_000 }),
    ),
    { wrong_state: 1 },
  ],
  'a reversal that was announced as no payment, though it came much later': [
    all(recordReversal(9_000), neverPublished('evt_1')),
    { lost_events: 1 },
  ],
  'a reversal on record of more than the provider took': [
    all(recordReversal(9_000), changed('payments', { takenKobo: 400 })),
    { wrong_state: 1 },
  ],
  'a dispute that was told, and that nothing shows': [
    changed('payments', { dispute: 'open', ...told }),
    { wrong_state: 1 },
  ],
  'a disputed charge without its event': [
    all(
      changed('payments', { dispute: 'open', ...told }),
      changed('transactions', { status: 'disputed' }),
    ),
    { lost_events: 1 },
  ],
  'a lost dispute and a refund of the same money': [
    all(
      changed('payments', { dispute: 'lost', lostKobo: 500, returnedAtMs: 9_000, ...told }),
      changed('captures', { lostKobo: 500 }),
      changed('transactions', { status: 'refunded', refundedKobo: 500 }),
    ),
    { refund_overpaid: 2 },
  ],
  'a journal that is wrong': [({ wrongBooks }) => wrongBooks.push('fees'), { books_wrong: 1 }],
  'a forgotten row': [({ stuck }) => stuck.push('refund sending'), { stuck: 1 }],
  'a process that ended': [({ unexpectedEnds }) => unexpectedEnds.push('api'), { wrong_state: 1 }],
};

describe('The audit of a chaos run', () => {
  it('finds nothing in sound records', () => {
    expect(audit(soundRecords())).to.deep.equal([]);
  });

  const silent = { isReturnTold: false };
  const sound: Record<string, Change> = {
    'a refund without an answer be looked up, while the provider has none of it': all(
      changed('knownRefunds', { status: 'unconfirmed' }),
      ({ providerRefunds }) => providerRefunds.shift(),
      neverPublished('evt_2'),
      changed('transactions', { refundedKobo: 0 }),
    ),
    'the refund of a second payment be looked up likewise': all(
      ({ providerRefunds }) => providerRefunds.pop(),
      changed('knownRefunds', { status: 'unconfirmed' }, 1),
    ),
    'an event arrive that is younger than those that were read': added('received', {
      ...{ eventId: 'evt_5', atMs: 2_000 },
    }),
    'a reversed payment be refunded': recordReversal(9_000),
    'a reversed payment be unannounced where it was gone at first sight': all(
      recordReversal(1_010),
      neverPublished('evt_1'),
    ),
    'a reversal be unknown while no notification of it arrived': all(
      withoutRefund,
      changed('payments', { ...reversed(9_000), ...silent }),
    ),
    'a dispute be unknown while no notification of it arrived': changed('payments', {
      ...{ dispute: 'open', ...silent },
    }),
    'an underpaid charge wait with a review': all(
      withoutRefund,
      changed('captures', { status: 'on_hold', isReviewed: true, amountKobo: 400 }),
      changed('payments', { paidKobo: 400 }),
      changed('transactions', { status: 'pending' }),
    ),
  };
  for (const [name, change] of Object.entries(sound))
    it(`lets ${name}`, () => {
      expect(countsAfter(change)).to.deep.equal({});
    });

  for (const [name, [change, counts]] of Object.entries(cases))
    it(`counts ${name}`, () => {
      expect(countsAfter(change)).to.deep.equal(counts);
    });
});
