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
    received: events.map(({ id, type, subject }) => ({
      ...{ tenantId, eventId: id, type, subject, atMs: 1_100, isSigned: true },
    })),
    read: new Map([[tenantId, ['evt_1', 'evt_2']]]),
    stuck: [],
    wrongFigures: [],
    unexpectedEnds: [],
  };
}

function countsAfter(change: (records: ChaosRecords) => void): Partial<Record<CountName, number>> {
  const records = soundRecords();
  change(records);
  const counts: Partial<Record<CountName, number>> = {};
  for (const { count } of audit(records)) counts[count] = (counts[count] ?? 0) + 1;
  return counts;
}

type Counts = Partial<Record<CountName, number>>;

const cases: Record<string, [change: (records: ChaosRecords) => void, Counts]> = {
  'a charge that is not listed': [
    ({ orders }) => orders.push({ ...orders[0]!, email: 'x@b.example', reference: 'SV-9' }),
    { lost_charges: 1 },
  ],
  'two charges of one order': [
    ({ transactions }) =>
      transactions.push({
        ...transactions[0]!,
        ...{ reference: 'SV-2', status: 'failed', refundedKobo: 0 },
      }),
    { duplicate_charges: 1 },
  ],
  'a payment that is not known': [({ captures }) => captures.pop(), { lost_payments: 1 }],
  'a payment of another amount': [
    ({ payments }) => Object.assign(payments[0]!, { paidKobo: 600 }),
    { wrong_state: 1 },
  ],
  'two payments that are kept': [
    ({ captures }) => Object.assign(captures[1]!, { status: 'applied' }),
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
  'a paid charge that failed': [
    ({ transactions }) => Object.assign(transactions[0]!, { status: 'failed' }),
    { wrong_state: 1 },
  ],
  'a charge that can be paid nowhere': [
    ({ transactions }) =>
      transactions.push({
        ...transactions[0]!,
        ...{ reference: 'SV-2', email: 'b@b.example', status: 'initiated', refundedKobo: 0 },
      }),
    { stuck: 1 },
  ],
  'an outcome without its event': [
    (records) => neverPublished(records, 'evt_1'),
    { lost_events: 1 },
  ],
  'a charge that succeeded twice': [
    (records) => {
      records.events.push({ ...records.events[0]!, id: 'evt_3' });
      records.received = [...records.received, { ...records.received[0]!, eventId: 'evt_3' }];
      records.read = new Map([['ten_1', ['evt_1', 'evt_2', 'evt_3']]]);
    },
    { duplicate_events: 1 },
  ],
  'an event that a reader read twice': [
    (records) =>
      Object.assign(records, { read: new Map([['ten_1', ['evt_1', 'evt_1', 'evt_2']]]) }),
    { duplicate_events: 1 },
  ],
  'an event that was not delivered': [
    (records) => Object.assign(records, { received: records.received.slice(1) }),
    { lost_events: 1 },
  ],
  'a delivery with a wrong signature': [
    ({ received }) => Object.assign(received[0]!, { isSigned: false }),
    { lost_events: 1, wrong_state: 1 },
  ],
  'a delivery to another merchant': [
    ({ received }) => Object.assign(received[0]!, { tenantId: 'ten_2' }),
    { lost_events: 1, wrong_state: 1 },
  ],
  'an event that a reader skipped': [
    (records) => Object.assign(records, { read: new Map([['ten_1', ['evt_2']]]) }),
    { lost_events: 1 },
  ],
  'a feed in another order': [
    (records) => Object.assign(records, { read: new Map([['ten_1', ['evt_2', 'evt_1']]]) }),
    { wrong_state: 1 },
  ],
  'a refund that is final at the provider only': [
    (records) => {
      records.knownRefunds[0]!.status = 'processing';
      neverPublished(records, 'evt_2');
      records.transactions[0]!.refundedKobo = 0;
    },
    { lost_refunds: 2 },
  ],
  'a refund that no provider made': [
    ({ providerRefunds }) => providerRefunds.shift(),
    { wrong_state: 1 },
  ],
  'a refund that was sent twice': [
    ({ providerRefunds }) => providerRefunds.push({ ...providerRefunds[0]! }),
    { refund_overpaid: 1 },
  ],
  'more money back than was paid': [
    ({ providerRefunds }) => Object.assign(providerRefunds[0]!, { amountKobo: 501 }),
    { refund_overpaid: 1 },
  ],
  'a charge whose refunds do not add up': [
    ({ transactions }) => Object.assign(transactions[0]!, { refundedKobo: 100 }),
    { wrong_state: 1 },
  ],
  'a charge that too little paid': [
    ({ captures, payments }) => {
      Object.assign(captures[0]!, { amountKobo: 400 });
      Object.assign(payments[0]!, { paidKobo: 400 });
    },
    { wrong_state: 1 },
  ],
  'too much that nobody is asked about': [
    ({ captures, payments }) => {
      Object.assign(captures[0]!, { amountKobo: 600 });
      Object.assign(payments[0]!, { paidKobo: 600 });
    },
    { wrong_state: 1 },
  ],
  'a reversal that the provider told, and nothing shows': [
    (records) => Object.assign(withoutRefund(records).payments[0]!, reversed(9_000), told),
    { wrong_state: 1 },
  ],
  'a payment recorded long after its reversal as if it were there': [
    (records) => {
      Object.assign(withoutRefund(records).payments[0]!, reversed(9_000));
      Object.assign(records.captures[0]!, { recordedAtMs: 90_000 });
    },
    { wrong_state: 1 },
  ],
  'a reversal that was announced as no payment, though it came much later': [
    (records) => {
      recordReversal(records, 9_000);
      neverPublished(records, 'evt_1');
    },
    { lost_events: 1 },
  ],
  'a reversal on record of more than the provider took': [
    (records) => {
      recordReversal(records, 9_000);
      records.payments[0]!.takenKobo = 400;
    },
    { wrong_state: 1 },
  ],
  'a dispute that was told, and that nothing shows': [
    ({ payments }) => Object.assign(payments[0]!, { dispute: 'open' }, told),
    { wrong_state: 1 },
  ],
  'a disputed charge without its event': [
    ({ payments, transactions }) => {
      Object.assign(payments[0]!, { dispute: 'open' }, told);
      Object.assign(transactions[0]!, { status: 'disputed' });
    },
    { lost_events: 1 },
  ],
  'a lost dispute and a refund of the same money': [
    ({ payments, captures, transactions }) => {
      Object.assign(payments[0]!, { dispute: 'lost', lostKobo: 500, returnedAtMs: 9_000 }, told);
      Object.assign(captures[0]!, { lostKobo: 500 });
      Object.assign(transactions[0]!, { status: 'refunded', refundedKobo: 500 });
    },
    { refund_overpaid: 2 },
  ],
  'a forgotten row': [({ stuck }) => stuck.push('refund sending'), { stuck: 1 }],
  'a process that ended': [({ unexpectedEnds }) => unexpectedEnds.push('api'), { wrong_state: 1 }],
};

describe('The audit of a chaos run', () => {
  const expectNothing = (change: (records: ChaosRecords) => void) =>
    expect(countsAfter(change)).to.deep.equal({});

  it('finds nothing in sound records', () => {
    expect(audit(soundRecords())).to.deep.equal([]);
  });

  it('lets a refund that got no answer be looked up, while the provider has none of it', () => {
    expectNothing((records) => {
      records.knownRefunds[0]!.status = 'unconfirmed';
      records.providerRefunds.shift();
      neverPublished(records, 'evt_2');
      records.transactions[0]!.refundedKobo = 0;
    });
  });

  it('lets the refund of a second payment be looked up likewise', () => {
    expectNothing((records) => {
      records.providerRefunds.pop();
      records.knownRefunds[1]!.status = 'unconfirmed';
    });
  });

  it('lets a reversed payment be refunded, unannounced where it was gone at first sight', () => {
    expectNothing((records) => recordReversal(records, 9_000));
    expectNothing((records) => {
      recordReversal(records, 1_010);
      neverPublished(records, 'evt_1');
    });
  });

  it('lets a reversal and a dispute be unknown while no notification of them arrived', () => {
    const silent = { isReturnTold: false };
    expectNothing((records) =>
      Object.assign(withoutRefund(records).payments[0]!, reversed(9_000), silent),
    );
    expectNothing(({ payments }) => Object.assign(payments[0]!, { dispute: 'open' }, silent));
  });

  it('lets an underpaid charge wait with a review', () => {
    expectNothing((records) => {
      withoutRefund(records);
      Object.assign(records.captures[0]!, { status: 'on_hold', isReviewed: true, amountKobo: 400 });
      Object.assign(records.payments[0]!, { paidKobo: 400 });
      Object.assign(records.transactions[0]!, { status: 'pending' });
    });
  });

  for (const [name, [change, counts]] of Object.entries(cases))
    it(`counts ${name}`, () => {
      expect(countsAfter(change)).to.deep.equal(counts);
    });
});

const told = { isReturnTold: true };
const reversed = (atMs: number) => ({ takenKobo: 500, returnedAtMs: atMs });

function neverPublished(records: ChaosRecords, id: string): void {
  records.events = records.events.filter((event) => event.id !== id);
  records.received = records.received.filter(({ eventId }) => eventId !== id);
  records.read = new Map([['ten_1', records.events.map((event) => event.id)]]);
}

function withoutRefund(records: ChaosRecords): ChaosRecords {
  records.refunds.pop();
  records.knownRefunds.shift();
  records.providerRefunds.shift();
  records.transactions[0]!.refundedKobo = 0;
  return records;
}

function recordReversal(records: ChaosRecords, atMs: number): void {
  Object.assign(records.payments[0]!, reversed(atMs), told);
  records.refunds.pop();
  records.providerRefunds.shift();
  Object.assign(records.knownRefunds[0]!, { origin: 'provider', amountKobo: 500 });
  Object.assign(records.transactions[0]!, { status: 'refunded', refundedKobo: 500 });
}
