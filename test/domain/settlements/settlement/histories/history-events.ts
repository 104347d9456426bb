import fc from 'fast-check';

export const lineFaults = [
  ...(['right', 'right', 'right', 'right'] as const),
  ...(['amount', 'fee', 'payer bore it', 'both', 'no fee'] as const),
];
export const deductionFaults = ['right', 'right', 'wrong', 'nothing', 'not stated'] as const;
export const unclearParts = ['our line', 'a foreign line', 'its lines', 'its statement'] as const;
export const interruptions = [
  ...(['none', 'none', 'cut', 'lines unavailable', 'lines unreadable'] as const),
  'list unavailable' as const,
];

const part = fc.integer({ min: 0, max: 100 });
const kobo = fc.integer({ min: 100, max: 60_000 });
const mostly = <Value>(weight: number, usual: Value, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });

const pay = fc.record({
  what: fc.constant('pay' as const),
  amountKobo: fc.integer({ min: 400_000, max: 700_000 }),
  feeKobo: fc.integer({ min: 0, max: 20_000 }),
  isFeeStated: mostly(5, true, fc.constant(false)),
  isRecorded: mostly(4, true, fc.constant(false)),
});

const payOut = fc.record({
  what: fc.constant('pay out' as const),
  /** Which payments that are in no payout it leaves out, one bit for each. */
  leaveOut: mostly(2, 0, fc.nat(255)),
  /** Which payments of other payouts it pays out again, one bit for each. */
  again: mostly(3, 0, fc.nat(15)),
  faults: fc.array(fc.constantFrom(...lineFaults), { minLength: 1, maxLength: 6 }),
  faultKobo: kobo,
  deductions: fc.constantFrom(...deductionFaults),
  shortKobo: mostly(3, 0, fc.integer({ min: -60_000, max: 60_000 })),
  isAmountStated: mostly(5, true, fc.constant(false)),
  state: fc.constantFrom(...(['landed', 'landed', 'landed', 'pending', 'failed'] as const)),
  foreign: mostly(2, 0, fc.nat(2)),
  /** What cannot be read of it, until it can: a line of ours, a line of the other business … */
  unclear: fc.oneof(
    { weight: 4, arbitrary: fc.constant('nothing' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...unclearParts) },
  ),
  unknownPayments: mostly(5, 0, fc.constant(1)),
});

const correct = fc.record({
  what: fc.constant('correct' as const),
  which: fc.nat(9),
  how: fc.constantFrom(
    ...(['land', 'fail', 'top up', 'take back', 'other deductions'] as const),
    ...(['drop a line', 'swap a line', 'make readable'] as const),
  ),
  kobo,
});

const sendBack = fc.record({
  what: fc.constantFrom('refund' as const, 'lose a dispute' as const),
  which: fc.nat(9),
  part: fc.oneof(fc.constant(100), part),
  isOurs: fc.boolean(),
});

const correctFee = fc.record({
  what: fc.constant('correct a fee' as const),
  which: fc.nat(9),
  feeKobo: fc.integer({ min: 0, max: 20_000 }),
});

const giveReason = fc.record({ what: fc.constant('give a reason' as const), which: fc.nat(9) });

const run = fc.record({
  what: fc.constant('reconcile' as const),
  interruption: fc.constantFrom(...interruptions),
  after: fc.nat(8),
});

const wait = fc.record({
  what: fc.constant('wait' as const),
  days: fc.integer({ min: 1, max: 3 }),
});

const event = fc.oneof(
  { weight: 4, arbitrary: pay },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('verify' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: payOut },
  { weight: 2, arbitrary: correct },
  { weight: 2, arbitrary: sendBack },
  { weight: 1, arbitrary: correctFee },
  { weight: 2, arbitrary: giveReason },
  { weight: 3, arbitrary: run },
  { weight: 2, arbitrary: wait },
);

export type HistoryEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never;
export type HistoryEventOf<What extends HistoryEvent['what']> = Extract<
  HistoryEvent,
  { what: What }
>;

/** What happens to a connection's money in a few weeks. Each history begins with payments. */
export const histories = fc
  .tuple(
    fc.array(pay, { minLength: 1, maxLength: 3 }),
    fc.array(event, { minLength: 3, maxLength: 22 }),
  )
  .map(([beginning, rest]): HistoryEvent[] => [...beginning, ...rest]);
