import { expect } from 'chai';
import type { ChargeDecision, ChargeState } from '../../../../domain/payments/charge/decision.ts';
import type { ChargeFact } from '../../../../domain/payments/charge/facts.ts';
import {
  attemptedAt,
  captured,
  decide,
  effectsOf,
  facts,
  given,
  known,
  now,
  settledAt,
} from './fixture.ts';

/** A decision as its tests write it down: what is absent is not written. */
interface Written {
  status?: string;
  patch?: object;
  /** Entries of the timeline, with their sentences. */
  timeline?: [what: string, detail: string | null][];
  reviews?: [reason: string, captureId: string | null, amountKobo: number | null][];
  events?: string[];
  /** True: nothing is written where a review asked the same before. */
  once?: true;
  /** Every other effect. */
  also?: object[];
}

function writtenBy(decision: ChargeDecision | undefined): Written | undefined {
  if (!decision) return undefined;
  const timeline = effectsOf(decision, 'append to timeline').map(
    ({ entry }) => [entry.what, entry.detail] as [string, string | null],
  );
  const reviews = effectsOf(decision, 'open review').map(
    ({ review }) =>
      [review.reason, review.captureId, review.amountKobo] as [string, string, number],
  );
  const events = effectsOf(decision, 'publish').map(({ event }) => event as string);
  const shown = ['append to timeline', 'open review', 'publish', 'record capture'];
  const also = decision.effects.filter(({ type }) => !shown.includes(type));
  return {
    ...(decision.status ? { status: decision.status } : {}),
    ...(Object.keys(decision.patch).length > 0 ? { patch: decision.patch } : {}),
    ...(timeline.length > 0 ? { timeline } : {}),
    ...(reviews.length > 0 ? { reviews } : {}),
    ...(events.length > 0 ? { events } : {}),
    ...(decision.unlessAsked ? { once: true } : {}),
    ...(also.length > 0 ? { also } : {}),
  };
}

const paidPatch = {
  feeKobo: 17_500,
  captureId: 'cap_1',
  channel: 'card',
  providerReference: '4099260516',
  slot: 'provider_a',
  connectionId: 'con_a',
  failureMessage: null,
  failureCause: null,
  failedAt: null,
  occurredAt: new Date(attemptedAt.getTime() + 60_000),
};
const paidByCard: [string, string] = ['charge.succeeded', '₦5,000.00 was paid by card.'];
const opened: [string, string] = ['charge.pending', 'The provider opened the payment.'];
const earlier = { type: 'count earlier refunds' };
const short = known('applied', { amountKobo: 300_000 });

const cases: [
  title: string,
  charge: ChargeState,
  fact: ChargeFact,
  written: Written | undefined,
][] = [
  [
    'a payment that is opened',
    given('initiated'),
    facts.opened,
    {
      status: 'pending',
      patch: { slot: 'provider_a', connectionId: 'con_a' },
      timeline: [opened],
    },
  ],
  [
    'a payment that is opened at another connection',
    given('pending', { connectionId: 'con_b' }),
    facts.opened,
    {
      patch: { slot: 'provider_a', connectionId: 'con_a' },
      timeline: [['charge.reopened', 'The payment was opened at another provider.']],
    },
  ],
  ['a payment that is opened where it was', given('pending'), facts.opened, undefined],
  [
    'a payment that is opened after its charge failed',
    given('failed', { connectionId: 'con_b' }),
    facts.opened,
    undefined,
  ],
  [
    'a payment before its charge was opened',
    given('initiated'),
    captured(),
    {
      status: 'succeeded',
      patch: paidPatch,
      timeline: [opened, paidByCard],
      events: ['charge.succeeded'],
    },
  ],
  [
    'a bank transfer that was captured before its attempt by the provider’s clock',
    given('pending'),
    captured({
      channel: 'bank_transfer',
      capturedAt: new Date(attemptedAt.getTime() - 1),
      feeKobo: null,
    }),
    {
      status: 'succeeded',
      patch: {
        ...paidPatch,
        feeKobo: undefined,
        channel: 'bank_transfer',
        occurredAt: attemptedAt,
      },
      timeline: [['charge.succeeded', '₦5,000.00 was paid by bank transfer.']],
      events: ['charge.succeeded'],
    },
  ],
  [
    'a payment after the charge failed',
    given('failed'),
    captured(),
    {
      status: 'succeeded',
      patch: { ...paidPatch, recovered: true },
      timeline: [paidByCard],
      events: ['charge.succeeded'],
    },
  ],
  [
    'a payment of one kobo too much',
    given('pending'),
    captured({ amountKobo: 500_001 }),
    {
      status: 'succeeded',
      patch: paidPatch,
      timeline: [
        ['charge.overpaid', 'The payer paid ₦0.01 more than was asked; it is in review.'],
        ['charge.succeeded', '₦5,000.01 was paid by card.'],
      ],
      reviews: [['overpaid', 'cap_1', 1]],
      events: ['charge.succeeded'],
    },
  ],
  [
    'a payment of one kobo too little',
    given('pending'),
    captured({ amountKobo: 499_999 }),
    {
      timeline: [
        ['charge.underpaid', 'The payer paid less than was asked: ₦4,999.99 of ₦5,000.00.'],
      ],
      reviews: [['underpaid', 'cap_1', 499_999]],
    },
  ],
  [
    'a second payment',
    given('succeeded'),
    captured(),
    {
      timeline: [['charge.extra_capture', 'The payer paid again: ₦5,000.00 goes back.']],
      also: [
        {
          type: 'return duplicate',
          captureId: 'cap_1',
          paidKobo: 500_000,
          reason: 'It was paid a second time.',
        },
      ],
    },
  ],
  [
    'a payment of a link that another charge paid before',
    given('pending', { link: { id: 'lnk_1', paidBy: 'txn_0' } as ChargeState['link'] }),
    captured(),
    {
      status: 'succeeded',
      patch: paidPatch,
      timeline: [
        [
          'charge.link_paid_before',
          'The payment link was paid by txn_0 before; this payment came on top of it and is in review.',
        ],
        paidByCard,
      ],
      reviews: [['link_paid_before', 'cap_1', 500_000]],
      events: ['charge.succeeded'],
    },
  ],
  [
    'a decline',
    given('pending'),
    facts.declined,
    {
      status: 'failed',
      patch: { failureMessage: 'Insufficient funds.', failureCause: 'declined', failedAt: now },
      timeline: [['charge.failed', 'Insufficient funds.']],
      events: ['charge.failed'],
      also: [{ type: 'watch attempts' }],
    },
  ],
  [
    'an end while too little was paid',
    given('pending', { review: ['underpaid'] }),
    facts.expired,
    undefined,
  ],
  [
    'words that nobody knows',
    given('pending'),
    facts.unclear,
    {
      timeline: [
        ['charge.unknown_status', 'The provider states status "half-paid", which we do not know.'],
      ],
      reviews: [['unknown_status', null, null]],
      once: true,
    },
  ],
  [
    'words that a person looks at already',
    given('pending', { review: ['unknown_status'] }),
    facts.unclear,
    undefined,
  ],
  [
    'a payout',
    given('succeeded'),
    facts.settled,
    {
      status: 'settled',
      patch: { settledAt, settlementId: 'stl_1', feeKobo: 17_500 },
      timeline: [['charge.settled', 'Paid out with settlement stl_1.']],
    },
  ],
  [
    'a payout after the charge was refunded',
    given('refunded'),
    { ...facts.settled, feeKobo: null },
    {
      patch: { settledAt, settlementId: 'stl_1' },
      timeline: [['charge.settlement_line', 'A settlement of the provider holds this payment.']],
    },
  ],
  ['a payout that is on record', given('settled'), facts.settled, undefined],
  [
    'another payout of the same payment',
    given('settled'),
    facts['settled elsewhere'],
    {
      patch: { settledAt, settlementId: 'stl_2', feeKobo: 17_500 },
      timeline: [['charge.settlement_moved', 'Settlement stl_2 holds this payment now.']],
    },
  ],
  [
    'the payout that is on record, found anew',
    given('settled', { settlementId: 'stl_2' }),
    facts['settled elsewhere'],
    undefined,
  ],
  [
    'a refund of a part',
    given('succeeded'),
    facts['refunded in part'],
    {
      patch: { refundedKobo: 100_000 },
      timeline: [['charge.refund_recorded', '₦1,000.00 went back to the payer so far.']],
    },
  ],
  [
    'the same refund again',
    given('succeeded', { refundedKobo: 100_000 }),
    facts['refunded in part'],
    undefined,
  ],
  [
    'a refund of all of less that a person accepted',
    given('succeeded', { captures: [short] }),
    { type: 'refunded', totalKobo: 300_000, paidKobo: 300_000 },
    {
      status: 'refunded',
      patch: { refundedKobo: 300_000 },
      timeline: [['charge.refunded', null]],
      also: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
    },
  ],
  [
    'a refund of more than was asked',
    given('succeeded'),
    { type: 'refunded', totalKobo: 600_000, paidKobo: 600_000 },
    {
      status: 'refunded',
      patch: { refundedKobo: 500_000 },
      timeline: [['charge.refunded', null]],
      also: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
    },
  ],
  [
    'money that could not be sent back',
    given('succeeded'),
    facts['not returned'],
    {
      timeline: [
        [
          'charge.not_returned',
          '₦5,000.00 could not be sent back: The wallet does not hold enough.',
        ],
      ],
      reviews: [['extra_capture', 'cap_2', 500_000]],
    },
  ],
  [
    'money of which nobody knows whether it went back',
    given('succeeded'),
    facts['return unclear'],
    {
      timeline: [
        [
          'charge.return_unclear',
          '₦5,000.00 may not have gone back to the payer: Look in the provider’s dashboard.',
        ],
      ],
      reviews: [['extra_capture', 'cap_2', 500_000]],
    },
  ],
  [
    'a dispute of another payment',
    given('succeeded'),
    facts['dispute noted'],
    {
      timeline: [['charge.dispute', 'Another payment is disputed.']],
      reviews: [['dispute', 'cap_2', 500_000]],
      once: true,
    },
  ],
  [
    'a dispute that is won after the payout',
    given('disputed', { settledAt }),
    facts['dispute won'],
    { status: 'settled', timeline: [['charge.settled', null]] },
  ],
  [
    'a dispute that is won',
    given('disputed'),
    facts['dispute won'],
    { status: 'succeeded', timeline: [['charge.succeeded', null]] },
  ],
  [
    'a dispute that is won of a payment that was refunded meanwhile',
    given('disputed', { refundedKobo: 300_000, captures: [short] }),
    facts['dispute won'],
    {
      status: 'refunded',
      timeline: [
        ['charge.succeeded', null],
        ['charge.refunded', null],
      ],
      also: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
    },
  ],
  [
    'a dispute that is lost of less that a person accepted',
    given('succeeded', { captures: [short] }),
    facts['dispute lost'],
    {
      status: 'refunded',
      patch: { refundedKobo: 300_000 },
      timeline: [['charge.refunded', null]],
      also: [{ type: 'cancel refund requests', reason: 'The charge was refunded in full.' }],
    },
  ],
  [
    'the rest of a payment that was accepted for less',
    given('succeeded', { captures: [short] }),
    captured({ providerPaymentId: 'known-applied', amountKobo: 500_000 }),
    {
      timeline: [['charge.grown', 'More was paid under the same payment: ₦5,000.00 in all.']],
      also: [{ type: 'increase capture', id: 'cap_applied', amountKobo: 500_000, payerFeeKobo: 0 }],
    },
  ],
  [
    'the rest of a payment that was refunded',
    given('refunded', { captures: [short], refundedKobo: 300_000 }),
    captured({ providerPaymentId: 'known-applied', amountKobo: 500_000 }),
    {
      timeline: [
        [
          'charge.grown',
          'More was paid under the same payment: ₦5,000.00 in all. What is too much is in review.',
        ],
      ],
      reviews: [['extra_capture', 'cap_applied', 200_000]],
      also: [{ type: 'increase capture', id: 'cap_applied', amountKobo: 500_000, payerFeeKobo: 0 }],
    },
  ],
  [
    'the fee of the payment, stated later',
    given('succeeded', { captures: [known('applied', { feeKobo: null })] }),
    captured({ providerPaymentId: 'known-applied', feeKobo: 99 }),
    {
      patch: { feeKobo: 99 },
      timeline: [['charge.fee', 'The provider stated its fee: ₦0.99.']],
      also: [{ type: 'record capture fee', id: 'cap_applied', feeKobo: 99 }],
    },
  ],
  [
    'the fee of a second payment, stated later',
    given('succeeded', {
      captures: [known('applied'), known('duplicate', { feeKobo: null })],
    }),
    captured({ providerPaymentId: 'known-duplicate', feeKobo: 99 }),
    { also: [{ type: 'record capture fee', id: 'cap_duplicate', feeKobo: 99 }] },
  ],
  [
    'less that a person accepts',
    given('pending', { review: ['underpaid'] }),
    facts.accepted,
    {
      status: 'succeeded',
      patch: paidPatch,
      timeline: [['charge.succeeded', '₦3,000.00 was paid by card.']],
      events: ['charge.succeeded'],
      also: [earlier],
    },
  ],
];

/** Without what is undefined. */
const plainly = (written: Written | undefined) => written && JSON.parse(JSON.stringify(written));

describe('What a fact writes about a charge of ₦5,000', () => {
  for (const [title, charge, fact, written] of cases)
    it(`is all of it, in words: ${title}`, () => {
      expect(plainly(writtenBy(decide(charge, fact)))).to.deep.equal(plainly(written));
    });
});
