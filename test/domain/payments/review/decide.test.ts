import { expect } from 'chai';
import { reviewStatuses } from '../../../../domain/payments/entities/review.ts';
import { reviewReasons } from '../../../../domain/payments/entities/review-reasons.ts';
import { decideReview, type ReviewState } from '../../../../domain/payments/review/decide.ts';

function given(
  reason: ReviewState['reason'],
  { charge = {}, payment = {}, status = 'open' as ReviewState['status'] } = {},
): ReviewState {
  return {
    reason,
    status,
    amountKobo: 300_000,
    charge: {
      ...{ status: 'pending', amountKobo: 500_000, refundedKobo: 0, currency: 'NGN' },
      ...{ hasAppliedCapture: false, ...charge },
    },
    payment: {
      ...{ id: 'cap_1', status: 'on_hold', amountKobo: 300_000, payerFeeKobo: 0, keptKobo: 0 },
      currency: 'NGN',
      returns: { sentKobo: 0, systemKobo: 0, waitingKobo: 0 },
      ...payment,
    },
  };
}

const KEEP = 'keep payment';
const PUT_ASIDE = 'mark capture duplicate';
const BESIDE = `${PUT_ASIDE}, ${KEEP}`;
const SEND_BACK = 'mark capture duplicate, open system refund';
const paid = { charge: { hasAppliedCapture: true } };
const enough = { payment: { amountKobo: 500_000 } };
const unnamed = (reason: ReviewState['reason']) => ({ ...given(reason), payment: null });
const paidElsewhere = given('capture_mismatch', { ...paid, ...enough });
const inDollars = given('capture_mismatch', { payment: { ...enough.payment, currency: 'USD' } });
const refusal = (review: ReviewState, decision: 'accepted' | 'returned') =>
  (decideReview(review, decision) as { refusal?: string }).refusal;

describe('A decision on a review', () => {
  const rows: [what: string, review: ReviewState, accepted: string, returned: string][] = [
    ['underpaid', given('underpaid'), 'apply capture', SEND_BACK],
    ['underpaid, paid by another payment since', given('underpaid', paid), BESIDE, SEND_BACK],
    ['overpaid', given('overpaid', paid), KEEP, SEND_BACK],
    ['extra_capture', given('extra_capture', paid), KEEP, SEND_BACK],
    ['capture_mismatch', given('capture_mismatch', enough), 'apply capture', SEND_BACK],
    ['capture_mismatch, too little', given('capture_mismatch'), 'refused', SEND_BACK],
    ['capture_mismatch in dollars', inDollars, 'refused', SEND_BACK],
    ['capture_mismatch, paid by another payment', paidElsewhere, 'refused', SEND_BACK],
    ['capture_mismatch of another charge', unnamed('capture_mismatch'), 'nothing', 'refused'],
    ['underpaid, without a named payment', unnamed('underpaid'), 'nothing', 'refused'],
    ['unknown_status', unnamed('unknown_status'), 'ask providers', 'refused'],
    ['link_paid_before', given('link_paid_before', paid), 'nothing', 'refused'],
    ['dispute', given('dispute', paid), 'nothing', 'refused'],
    ['refund_reversed', given('refund_reversed', paid), 'nothing', 'refused'],
  ];
  const outcomeOf = (review: ReviewState, decision: 'accepted' | 'returned') => {
    const outcome = decideReview(review, decision);
    if ('refusal' in outcome) return 'refused';
    return outcome.effects.map(({ type }) => type).join(', ') || 'nothing';
  };

  it('is tested for every reason', () => {
    expect([...new Set(rows.map(([, { reason }]) => reason))]).to.have.members([...reviewReasons]);
  });

  it('has one outcome for each reason and state of its payment', () => {
    for (const [what, review, accepted, returned] of rows) {
      expect(outcomeOf(review, 'accepted'), what).to.equal(accepted);
      expect(outcomeOf(review, 'returned'), what).to.equal(returned);
    }
  });

  /** Kobo that returning sends back where the review names no amount, or this one. */
  const sent: [what: string, payment: object, amountKobo: number | null, kobo: number][] = [
    ['that did not pay its charge', { payerFeeKobo: 7_500 }, null, 307_500],
    ['of which less is in question', {}, 100_000, 100_000],
    ['of which more was in question', {}, 400_000, 300_000],
    ['that paid its charge', { status: 'applied', amountKobo: 600_000 }, null, 100_000],
    [
      'that paid its charge and whose payer bore the fee',
      { status: 'applied', amountKobo: 600_000, payerFeeKobo: 7_500 },
      200_000,
      100_000,
    ],
  ];
  for (const [what, payment, amountKobo, kobo] of sent) {
    it(`returns ${kobo} kobo of a payment ${what}`, () => {
      const review = { ...given('overpaid', { payment }), amountKobo };
      expect(decideReview(review, 'returned')).to.deep.equal({
        status: 'returned',
        effects: [
          { type: 'mark capture duplicate', captureId: 'cap_1' },
          {
            ...{ type: 'open system refund', captureId: 'cap_1', amountKobo: kobo },
            reason: 'It was more than was asked.',
          },
        ],
      });
    });
  }

  it('accepts a payment of which all went back beside its charge, and one with a kobo left as its payment', () => {
    const kept = (sentKobo: number, reason: ReviewState['reason']) =>
      outcomeOf(
        given(reason, {
          payment: { amountKobo: 500_000, returns: { sentKobo, systemKobo: 0, waitingKobo: 0 } },
        }),
        'accepted',
      );
    for (const reason of ['underpaid', 'capture_mismatch'] as const) {
      expect(kept(500_000, reason), reason).to.equal(PUT_ASIDE);
      expect(kept(499_999, reason), reason).to.equal('apply capture');
    }
  });

  it('is refused with a reason where it is impossible', () => {
    const returns = { sentKobo: 300_000, systemKobo: 0, waitingKobo: 0 };
    for (const [review, decision, reason] of [
      [paidElsewhere, 'accepted', 'another payment'],
      [
        given('capture_mismatch', { payment: { currency: 'USD' } }),
        'accepted',
        'in USD, not in NGN',
      ],
      [given('capture_mismatch'), 'accepted', '₦3,000.00 of ₦5,000.00'],
      [given('link_paid_before'), 'returned', 'refund of the charge'],
      [given('underpaid', { payment: { returns } }), 'returned', 'nothing left to return'],
    ] as const)
      expect(refusal(review, decision)).to.include(reason);
  });

  it('is refused once the review is decided', () => {
    for (const status of reviewStatuses.filter((status) => status !== 'open'))
      for (const reason of reviewReasons)
        for (const decision of ['accepted', 'returned'] as const)
          expect(refusal(given(reason, { status }), decision)).to.include(`it is ${status}`);
  });
});
