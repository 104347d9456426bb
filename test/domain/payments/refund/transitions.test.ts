import { expect } from 'chai';
import { refundStatuses } from '../../../../domain/payments/entities/refund.ts';
import {
  committedRefundStatuses,
  pendingRefundStatuses,
  type RefundCause,
  type RefundStatus,
  refundTransitions,
} from '../../../../domain/payments/refund/transitions.ts';
import { follow } from '../../../../domain/shared/transitions.ts';

/** Every fact in every status; `-` changes nothing. */
const expected = `
                      requested  approved         sending          unconfirmed      unresolved       processing       needs_attention  completed  failed      reappeared  rejected  cancelled
approved              approved   -                -                -                -                -                -                -          -           -           -         -
rejected              rejected   -                -                -                -                -                -                -          -           -           -         -
cancelled             cancelled  -                -                -                -                -                -                -          -           -           -         -
sent                  -          sending          -                -                -                -                -                -          -           -           -         -
not reached           -          -                approved         -                -                -                -                -          -           -           -         -
no answer             -          -                unconfirmed      -                -                -                -                -          -           -           -         -
unclear               -          -                unconfirmed      -                unconfirmed      -                -                -          -           -           -         -
needs clearing up     -          -                unresolved       unresolved       -                -                -                -          -           -           -         -
accepted              -          processing       processing       processing       processing       -                processing       -          reappeared  -           -         -
needs attention       -          needs_attention  needs_attention  needs_attention  needs_attention  needs_attention  -                -          reappeared  -           -         -
completed             -          completed        completed        completed        completed        completed        completed        -          completed   completed   -         -
failed                -          failed           failed           failed           failed           failed           failed           -          -           failed      -         -
came back             -          -                -                -                -                -                -                failed     -           -           -         -
sent again            -          -                -                -                approved         -                -                -          -           -           -         -
not finished in time  -          -                -                unresolved       -                needs_attention  -                -          -           failed      -         -
recorded twice        -          -                cancelled        cancelled        cancelled        cancelled        cancelled        cancelled  cancelled   cancelled   -         -
`;

const rows = expected
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));
const [statuses, ...facts] = rows as [RefundStatus[], ...string[][]];

describe('The lifecycle of a refund', () => {
  it('is tested for every fact in every status', () => {
    expect([...statuses].sort()).to.deep.equal([...refundStatuses].sort());
    const known = new Set(Object.values(refundTransitions).flatMap((row) => Object.keys(row)));
    expect(facts.map(([fact]) => fact).sort()).to.deep.equal([...known].sort());
  });

  for (const [fact, ...outcomes] of facts) {
    for (const [index, outcome] of outcomes.entries()) {
      const status = statuses[index]!;
      it(`${status}, then ${fact}: ${outcome === '-' ? 'stays' : outcome}`, () => {
        expect(follow(refundTransitions, status, fact as RefundCause)).to.equal(
          outcome === '-' ? undefined : outcome,
        );
      });
    }
  }

  it('reserves its amount until it has ended without money going back', () => {
    const committed = [
      'approved',
      'needs_attention',
      'processing',
      'reappeared',
      'sending',
      'unconfirmed',
      'unresolved',
    ];
    expect([...committedRefundStatuses].sort()).to.deep.equal(committed);
    expect([...pendingRefundStatuses].sort()).to.deep.equal([...committed, 'requested'].sort());
  });
});
