import { expect } from 'chai';
import { refundStatuses } from '../../../../domain/payments/entities/refund.ts';
import {
  committedRefundStatuses,
  pendingRefundStatuses,
  type RefundCause,
  refundTransitions,
} from '../../../../domain/payments/refund/transitions.ts';
import { follow } from '../../../../domain/shared/transitions.ts';
import { factsOf, itFollows } from '../../transition-table.ts';

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

describe('The lifecycle of a refund', () => {
  itFollows(expected, {
    statuses: refundStatuses,
    facts: factsOf(refundTransitions),
    after: (status, fact) => follow(refundTransitions, status, fact as RefundCause),
  });

  it('reserves its amount until it has ended without money going back', () => {
    const committed = [
      ...['approved', 'needs_attention', 'processing', 'reappeared', 'sending', 'unconfirmed'],
      'unresolved',
    ];
    expect(committedRefundStatuses).to.have.members(committed);
    expect(pendingRefundStatuses).to.have.members([...committed, 'requested']);
  });
});
