import fc from 'fast-check';
import { type RefundOutcome, refundOutcomes } from './memory-provider.ts';

/**
 * Everything that can happen to the money of a charge. Answers of providers repeat, arrive late, in
 * any order, or never. A step that is listed more often happens more often.
 */
const stepNames = [
  ...['pay', 'pay', 'verify', 'verify', 'record an old answer', 'decline'],
  ...['open another attempt', 'try again', 'try again', 'settle', 'expire', 'cancel', 'wait'],
  ...['request a refund', 'request a refund', 'refund at the provider'],
  ...['choose the next refund outcome', 'choose the next refund outcome'],
  ...['run refund jobs', 'run refund jobs', 'run refund jobs'],
  ...['accept a review', 'return a review', 'return a review outside', 'correct a fee'],
  ...['open a dispute', 'win a dispute', 'lose a dispute', 'list disputes'],
  ...['reverse at the provider', 'reverse at the provider', 'pay more under a payment'],
  ...['limit the provider'],
] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  name: StepName;
  which: number;
  /** How much, in percent of the usual amount; or how long. */
  part: number;
  refundOutcome: RefundOutcome;
}

/** Half of the histories begin with a payment, because most can go wrong after one. */
const beginnings: Step[][] = [
  [],
  [
    { name: 'pay', which: 0, part: 100, refundOutcome: 'accepted' },
    { name: 'verify', which: 0, part: 100, refundOutcome: 'accepted' },
  ],
];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    name: fc.constantFrom(...stepNames),
    which: fc.nat(3),
    part: fc.oneof(
      { weight: 3, arbitrary: fc.constant(100) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 140 }) },
    ),
    refundOutcome: fc.constantFrom(...refundOutcomes),
  }),
  { minLength: 4, maxLength: 24 },
);

export const histories = fc
  .tuple(fc.constantFrom(...beginnings), steps)
  .map(([beginning, rest]) => [...beginning, ...rest]);
