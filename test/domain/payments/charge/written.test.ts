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
  recordedAs,
  settledAt,
} from './fixture.ts';

/** A decision as its tests write it down: what is absent is not written. */
interface Written {
  status?: string;
  patch?: object;
  recorded?: string;
  /** What, and the words. */
  timeline?: string[];
  /** The reason, the payment, the amount in kobo. */
  reviews?: string[];
  events?: string[];
  /** True: nothing is written where a review asked the same before. */
  once?: true;
  also?: object[];
}

const shown = ['append to timeline', 'open review', 'publish', 'record capture'];

function writtenBy(decision: ChargeDecision | undefined): Written | undefined {
  if (!decision) return undefined;
  const { status, patch, effects, unlessAsked } = decision;
  const written = {
    ...{ status, patch, recorded: recordedAs(decision), once: unlessAsked && true },
    timeline: effectsOf(decision, 'append to timeline').map(({ entry: { what, detail } }) =>
      detail === null ? what : `${what}: ${detail}`,
    ),
    reviews: effectsOf(decision, 'open review').map(({ review }) =>
      [review.reason, review.captureId ?? [], review.amountKobo ?? []].flat().join(' '),
    ),
    events: effectsOf(decision, 'publish').map(({ event }) => event),
    also: effects.filter(({ type }) => !shown.includes(type)),
  };
  const isSaid = (value: unknown) => value !== undefined && Object.keys(Object(value)).length > 0;
  const said = Object.entries(written).filter(
    ([, value]) => typeof value !== 'object' || isSaid(value),
  );
  return Object.fromEntries(said) as Written;
}

const paidPatch = {
  ...{ feeKobo: 17_500, captureId: 'cap_1', channel: 'card', providerReference: '4099260516' },
  ...{ slot: 'provider_a', connectionId: 'con_a' },
  ...{ failureMessage: null, failureCause: null, failedAt: null, firstFailedAt: null },
  occurredAt: new Date(attemptedAt.getTime() + 60_000),
};
const paidByCard = 'charge.succeeded: ₦5,000.00 was paid by card.';
const opened = 'charge.pending: The provider opened the payment.';
const paid = {
  ...{ status: 'succeeded', recorded: 'applied', patch: paidPatch },
  ...{ events: ['charge.succeeded'] },
};
const short = known('applied', { amountKobo: 300_000 });
const cancelsRequests = [
  { type: 'cancel refund requests', reason: 'The charge was refunded in full.' },
];
const refunded = (refundedKobo: number): Written => ({
  ...{ status: 'refunded', patch: { refundedKobo }, timeline: ['charge.refunded'] },
  also: cancelsRequests,
});
const grown = (naira: string, isTooMuch = false) =>
  `charge.grown: More was paid under the same payment: ${naira} in all.${
    isTooMuch ? ' What is too much is in review.' : ''
  }`;
const grownTo = (kobo: number) => [
  { type: 'increase capture', id: 'cap_applied', amountKobo: kobo, payerFeeKobo: 0 },
];
const growing = captured({ providerPaymentId: 'known-applied', amountKobo: 500_000 });
const linkPaidBy = (paidBy: string | null): ChargeState['link'] => ({ id: 'lnk_1', paidBy });

/** What a fact writes; undefined: nothing. */
const on = (charge: ChargeState, fact: ChargeFact, written?: Written) => ({
  charge,
  fact,
  written,
});
const paidBefore =
  'charge.link_paid_before: The payment link was paid by txn_0 before; ' +
  'this payment came on top of it and is in review.';
const retrying = given('failed', { retrying: true });
const cases = {
  'a payment that is opened': on(given('initiated'), facts.opened, {
    status: 'pending',
    patch: { slot: 'provider_a', connectionId: 'con_a' },
    timeline: [opened],
  }),
  'a payment that is opened at another connection': on(
    given('pending', { connectionId: 'con_b' }),
    facts.opened,
    {
      patch: { slot: 'provider_a', connectionId: 'con_a' },
      timeline: ['charge.reopened: The payment was opened at another provider.'],
    },
  ),
  'a payment that is opened where it was': on(given('pending'), facts.opened),
  'a payment that is opened after its charge failed': on(
    given('failed', { connectionId: 'con_b' }),
    facts.opened,
  ),
  'a declined charge whose payer tries again': on(given('failed'), facts.retried, {
    patch: { retrying: true },
    timeline: ['charge.retried: The payer tries again, at provider_b.'],
  }),
  'a declined charge whose payer tries again already': on(retrying, facts.retried),
  'another try that is declined': on(retrying, facts.declined, {
    patch: {
      ...{ failureMessage: 'Insufficient funds.', failureCause: 'declined' },
      ...{ failedAt: now, retrying: false },
    },
    timeline: ['charge.retry_failed: Insufficient funds.'],
    also: [{ type: 'watch attempts' }],
  }),
  'another try that is not paid in time': on(retrying, facts.expired, {
    patch: { failedAt: now, retrying: false },
    timeline: ['charge.retry_failed: The payment was not made in time.'],
    also: [{ type: 'watch attempts' }],
  }),
  'another try that no provider takes': on(retrying, facts.refused, {
    patch: { failedAt: now, retrying: false },
    timeline: [`charge.retry_failed: ${facts.refused.message}`],
    also: [{ type: 'watch attempts' }],
  }),
  'another try that is paid': on(retrying, captured(), {
    ...{ ...paid, patch: { ...paidPatch, recovered: true, retrying: false } },
    timeline: [paidByCard],
  }),
  'a payment before its charge was opened': on(given('initiated'), captured(), {
    ...paid,
    timeline: [opened, paidByCard],
  }),
  'a bank transfer that was captured before its attempt by the provider’s clock': on(
    given('pending'),
    captured({
      ...{ channel: 'bank_transfer', feeKobo: null },
      capturedAt: new Date(attemptedAt.getTime() - 1),
    }),
    {
      ...paid,
      patch: {
        ...{ ...paidPatch, feeKobo: undefined },
        ...{ channel: 'bank_transfer', occurredAt: attemptedAt },
      },
      timeline: ['charge.succeeded: ₦5,000.00 was paid by bank transfer.'],
    },
  ),
  'a payment after the charge failed': on(given('failed'), captured(), {
    ...paid,
    patch: { ...paidPatch, recovered: true },
    timeline: [paidByCard],
  }),
  'a payment of one kobo too much': on(given('pending'), captured({ amountKobo: 500_001 }), {
    ...paid,
    timeline: [
      'charge.overpaid: The payer paid ₦0.01 more than was asked; it is in review.',
      'charge.succeeded: ₦5,000.01 was paid by card.',
    ],
    reviews: ['overpaid cap_1 1'],
  }),
  'a payment of one kobo too little': on(given('pending'), captured({ amountKobo: 499_999 }), {
    recorded: 'on_hold',
    timeline: ['charge.underpaid: The payer paid less than was asked: ₦4,999.99 of ₦5,000.00.'],
    reviews: ['underpaid cap_1 499999'],
  }),
  'a payment of too little, before its charge was opened': on(
    given('initiated'),
    captured({ amountKobo: 499_999 }),
    {
      ...{ status: 'pending', patch: { slot: 'provider_a', connectionId: 'con_a' } },
      recorded: 'on_hold',
      timeline: [
        opened,
        'charge.underpaid: The payer paid less than was asked: ₦4,999.99 of ₦5,000.00.',
      ],
      reviews: ['underpaid cap_1 499999'],
    },
  ),
  'a payment by a code': on(given('pending'), captured({ channel: 'qr' }), {
    ...{ ...paid, patch: { ...paidPatch, channel: 'qr' } },
    timeline: ['charge.succeeded: ₦5,000.00 was paid by QR code.'],
  }),
  'a second payment': on(given('succeeded'), captured({ payerFeeKobo: 7_500 }), {
    recorded: 'duplicate',
    timeline: ['charge.extra_capture: The payer paid again: ₦5,075.00 goes back.'],
    also: [
      {
        ...{ type: 'return duplicate', captureId: 'cap_1', paidKobo: 507_500 },
        reason: 'It was paid a second time.',
      },
    ],
  }),
  'a second payment that its provider reversed before we heard of it': on(
    given('succeeded'),
    captured({ isReversed: true }),
    {
      recorded: 'duplicate',
      timeline: ['charge.extra_capture: The payer paid again: the provider reversed ₦5,000.00.'],
    },
  ),
  'a payment of a link, of too much, that its provider reversed before we heard of it': on(
    given('pending', { link: linkPaidBy(null) }),
    captured({ amountKobo: 512_345, isReversed: true }),
    {
      ...{ status: 'succeeded', recorded: 'applied', patch: paidPatch },
      timeline: ['charge.succeeded: ₦5,123.45 was paid by card.'],
    },
  ),
  'a payment of a link': on(given('pending', { link: linkPaidBy(null) }), captured(), {
    ...paid,
    timeline: [paidByCard],
    also: [{ type: 'pay link', linkId: 'lnk_1' }],
  }),
  'a payment of a link that another charge paid before': on(
    given('pending', { link: linkPaidBy('txn_0') }),
    captured(),
    { ...paid, timeline: [paidBefore, paidByCard], reviews: ['link_paid_before cap_1 500000'] },
  ),
  'a decline': on(given('pending'), facts.declined, {
    status: 'failed',
    patch: {
      ...{ failureMessage: 'Insufficient funds.', failureCause: 'declined' },
      ...{ failedAt: now, firstFailedAt: now },
    },
    timeline: ['charge.failed: Insufficient funds.'],
    ...{ events: ['charge.failed'], also: [{ type: 'watch attempts' }] },
  }),
  'an end while too little was paid': on(
    given('pending', { review: ['underpaid'] }),
    facts.expired,
  ),
  'words that nobody knows': on(given('pending'), facts.unclear, {
    timeline: [
      'charge.unknown_status: The provider states status "half-paid", which we do not know.',
    ],
    ...{ reviews: ['unknown_status'], once: true },
  }),
  'words that a person looks at already': on(
    given('pending', { review: ['unknown_status'] }),
    facts.unclear,
  ),
  'a payout': on(given('succeeded'), facts.settled, {
    ...{ status: 'settled', patch: { settledAt, settlementId: 'stl_1', feeKobo: 17_500 } },
    timeline: ['charge.settled: Paid out with settlement stl_1.'],
  }),
  'a payout after the charge was refunded': on(
    given('refunded'),
    { ...facts.settled, feeKobo: null },
    {
      patch: { settledAt, settlementId: 'stl_1' },
      timeline: ['charge.settlement_line: A settlement of the provider holds this payment.'],
    },
  ),
  'a payout that is on record': on(given('settled'), facts.settled),
  'another payout of the same payment': on(given('settled'), facts['settled elsewhere'], {
    patch: { settledAt, settlementId: 'stl_2', feeKobo: 17_500 },
    timeline: ['charge.settlement_moved: Settlement stl_2 holds this payment now.'],
  }),
  'the payout that is on record, found anew': on(
    given('settled', { settlementId: 'stl_2' }),
    facts['settled elsewhere'],
  ),
  'a refund of a part': on(given('succeeded'), facts['refunded in part'], {
    patch: { refundedKobo: 100_000 },
    timeline: ['charge.refund_recorded: ₦1,000.00 went back to the payer so far.'],
  }),
  'the same refund again': on(
    given('succeeded', { refundedKobo: 100_000 }),
    facts['refunded in part'],
  ),
  'a refund of all of less that a person accepted': on(
    given('succeeded', { captures: [short] }),
    { type: 'refunded', totalKobo: 300_000, paidKobo: 300_000 },
    refunded(300_000),
  ),
  'a refund of more than was asked': on(
    given('succeeded'),
    { type: 'refunded', totalKobo: 600_000, paidKobo: 600_000 },
    refunded(500_000),
  ),
  'money that could not be sent back': on(given('succeeded'), facts['not returned'], {
    timeline: [
      'charge.not_returned: ₦5,000.00 could not be sent back: The wallet does not hold enough.',
    ],
    reviews: ['extra_capture cap_2 500000'],
  }),
  'money of which nobody knows whether it went back': on(
    given('succeeded'),
    facts['return unclear'],
    {
      timeline: [
        'charge.return_unclear: ₦5,000.00 may not have gone back to the payer: ' +
          'Look in the provider’s dashboard.',
      ],
      reviews: ['extra_capture cap_2 500000'],
    },
  ),
  'a dispute': on(given('settled'), facts['dispute opened'], {
    ...{ status: 'disputed', events: ['charge.disputed'] },
    timeline: ['charge.disputed'],
  }),
  'a dispute of another payment': on(given('succeeded'), facts['dispute noted'], {
    timeline: ['charge.dispute: Another payment is disputed.'],
    ...{ reviews: ['dispute cap_2 500000'], once: true },
  }),
  'a dispute that is won after the payout': on(
    given('disputed', { settledAt }),
    facts['dispute won'],
    { status: 'settled', timeline: ['charge.settled'] },
  ),
  'a dispute that is won': on(given('disputed'), facts['dispute won'], {
    status: 'succeeded',
    timeline: ['charge.succeeded'],
  }),
  'a dispute that is won of a payment that was refunded meanwhile': on(
    given('disputed', { refundedKobo: 300_000, captures: [short] }),
    facts['dispute won'],
    {
      status: 'refunded',
      timeline: ['charge.succeeded', 'charge.refunded'],
      also: cancelsRequests,
    },
  ),
  'a dispute that is lost': on(given('disputed'), facts['dispute lost'], refunded(500_000)),
  'a dispute that is lost of less that a person accepted': on(
    given('succeeded', { captures: [short] }),
    facts['dispute lost'],
    refunded(300_000),
  ),
  'the rest of a payment that was accepted for less': on(
    given('succeeded', { captures: [short] }),
    growing,
    { timeline: [grown('₦5,000.00')], also: grownTo(500_000) },
  ),
  'the rest of a payment that was refunded': on(
    given('refunded', { captures: [short], refundedKobo: 300_000 }),
    growing,
    {
      timeline: [grown('₦5,000.00', true)],
      ...{ reviews: ['extra_capture cap_applied 200000'], also: grownTo(500_000) },
    },
  ),
  'more than was asked, under the same payment': on(
    given('succeeded'),
    { ...growing, amountKobo: 512_000 },
    {
      timeline: [grown('₦5,120.00', true)],
      ...{ reviews: ['overpaid cap_applied 12000'], also: grownTo(512_000) },
    },
  ),
  'the fee of the payment, stated later': on(
    given('succeeded', { captures: [known('applied', { feeKobo: null })] }),
    { ...growing, feeKobo: 99 },
    {
      patch: { feeKobo: 99 },
      timeline: ['charge.fee: The provider stated its fee: ₦0.99.'],
      also: [{ type: 'record capture fee', id: 'cap_applied', feeKobo: 99 }],
    },
  ),
  'another fee of the payment, stated later': on(
    given('succeeded'),
    { ...growing, feeKobo: 99 },
    {
      patch: { feeKobo: 99 },
      timeline: ['charge.fee: The provider stated its fee: ₦0.99, not ₦175.00.'],
      also: [{ type: 'record capture fee', id: 'cap_applied', feeKobo: 99 }],
    },
  ),
  'the fee of a second payment, stated later': on(
    given('succeeded', { captures: [known('applied'), known('duplicate', { feeKobo: null })] }),
    captured({ providerPaymentId: 'known-duplicate', feeKobo: 99 }),
    { also: [{ type: 'record capture fee', id: 'cap_duplicate', feeKobo: 99 }] },
  ),
  'less that a person accepts': on(given('pending', { review: ['underpaid'] }), facts.accepted, {
    ...paid,
    timeline: ['charge.succeeded: ₦3,000.00 was paid by card.'],
    also: [{ type: 'count earlier refunds' }],
  }),
};

const plainly = (written: Written | undefined) => written && JSON.parse(JSON.stringify(written));

describe('What a fact writes about a charge of ₦5,000', () => {
  for (const [title, { charge, fact, written }] of Object.entries(cases))
    it(`is all of it, in words: ${title}`, () => {
      expect(plainly(writtenBy(decide(charge, fact)))).to.deep.equal(plainly(written));
    });
});
