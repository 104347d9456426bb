import { expect } from 'chai';
import {
  committedRefundStatuses,
  decideRefund,
  pendingRefundStatuses,
  type RefundFact,
  type RefundStatus,
  refundStatuses,
  refundTransitions,
} from '../../../../domain/payments/refund/transitions.ts';

/** Every fact in every status; `-` changes nothing. */
const expected = `
                 requested  approved    processing  completed  failed  rejected  cancelled
approved         approved   -           -           -          -       -         -
rejected         rejected   -           -           -          -       -         -
cancelled        cancelled  -           -           -          -       -         -
sent             -          processing  -           -          -       -         -
needs attention  -          -           processing  -          -       -         -
completed        -          -           completed   -          completed  -     -
failed           -          -           failed      -          -       -         -
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
        expect(decideRefund(status, fact as RefundFact)).to.equal(
          outcome === '-' ? undefined : outcome,
        );
      });
    }
  }

  it('holds its part of the charge until it has ended without money going', () => {
    expect([...pendingRefundStatuses].sort()).to.deep.equal([
      'approved',
      'processing',
      'requested',
    ]);
    expect([...committedRefundStatuses].sort()).to.deep.equal(['approved', 'processing']);
  });
});
