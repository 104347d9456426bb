import { expect } from 'chai';
import {
  type ChargeStatus,
  chargeTransitions,
} from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { step } from '../../../../domain/shared/transitions.ts';
import { itFollows } from '../../transition-table.ts';
import { decide, facts, given, now, recordedAs, statusesOf } from './fixture.ts';

/**
 * Every fact in every status: the statuses passed through, or how it leaves the status alone. `-`
 * writes nothing; `noted` records what the fact carries; `duplicate` records the money aside.
 */
const expected = `
                  initiated            pending     succeeded  settled    failed     disputed   refunded
opened            pending              -           -          -          -          -          -
captured          pending,succeeded    succeeded   duplicate  duplicate  succeeded  duplicate  duplicate
refused           failed               failed      -          -          -          -          -
declined          failed               failed      -          -          -          -          -
expired           failed               failed      -          -          -          -          -
cancelled         failed               failed      -          -          -          -          -
unclear           noted                noted       noted      noted      noted      noted      noted
settled           noted                noted       settled    -          noted      noted      noted
settled elsewhere  noted              noted       settled    noted      noted      noted      noted
refunded in part  noted                noted       noted      noted      noted      noted      -
refunded in full  noted                noted       refunded   refunded   noted      noted      -
refund came back  noted                noted       noted      noted      noted      noted      succeeded
dispute opened    -                    -           disputed   disputed   -          -          -
dispute won       -                    -           -          -          -          succeeded  -
dispute lost      noted                noted       refunded   refunded   noted      refunded   -
dispute noted     noted                noted       noted      noted      noted      noted      noted
not returned      noted                noted       noted      noted      noted      noted      noted
return unclear    noted                noted       noted      noted      noted      noted      noted
accepted          pending,succeeded    succeeded   -          -          succeeded  -          -
`;

type FactName = keyof typeof facts;

function outcomeOf(status: ChargeStatus, name: FactName): string | undefined {
  const decision = decide(given(status), facts[name]);
  return decision && (statusesOf(decision).join() || (recordedAs(decision) ?? 'noted'));
}

describe('The lifecycle of a charge', () => {
  const names = Object.keys(facts) as FactName[];
  itFollows(expected, { statuses: chargeStatuses, facts: names, after: outcomeOf });

  it('has the contract’s transitions and no others, but for late money and refunds that come back', () => {
    const arrows = Object.entries(chargeTransitions).flatMap(([from, row]) =>
      Object.values(row).map((to) => `${from} → ${to}`),
    );
    expect([...new Set(arrows)]).to.have.members([
      ...['initiated → pending', 'initiated → succeeded', 'initiated → failed'],
      ...['pending → succeeded', 'pending → failed', 'failed → succeeded'],
      ...['succeeded → settled', 'succeeded → refunded', 'succeeded → disputed'],
      ...['settled → refunded', 'settled → disputed'],
      ...['disputed → succeeded', 'disputed → settled', 'disputed → refunded'],
      ...['refunded → succeeded', 'refunded → settled'],
    ]);
  });

  it('has the cause of every failure', () => {
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      const { message: failureMessage } = facts[cause];
      const patch = { failureMessage, failureCause: cause, failedAt: now };
      expect(decide(given('pending'), facts[cause])?.patch).to.deep.equal(patch);
    }
  });
});

describe('A transition table', () => {
  it('gives the status of a listed pair; any other pair does not compile', () => {
    const to: 'succeeded' = step(chargeTransitions, 'failed', 'paid');
    expect(to).to.equal('succeeded');
    // @ts-expect-error: a refunded charge is not paid.
    expect(step(chargeTransitions, 'refunded', 'paid')).to.equal(undefined);
  });
});
