import { expect } from 'chai';
import type { ChargeStatus } from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { decide, facts, given, now, recordedAs, statusesOf } from './fixture.ts';

/**
 * Every fact in every status: the statuses passed through, or how it leaves the status alone. `-`
 * writes nothing; `noted` records what the fact carries; `duplicate` records the money aside.
 */
const expected = `
                   initiated          pending    succeeded  settled    failed     disputed   refunded
opened             pending            -          -          -          -          -          -
captured           pending,succeeded  succeeded  duplicate  duplicate  succeeded  duplicate  duplicate
refused            failed             failed     -          -          -          -          -
declined           failed             failed     -          -          -          -          -
expired            failed             failed     -          -          -          -          -
cancelled          failed             failed     -          -          -          -          -
retried            -                  -          -          -          noted      -          -
unclear            noted              noted      noted      noted      noted      noted      noted
settled            noted              noted      settled    -          noted      noted      noted
settled elsewhere  noted              noted      settled    noted      noted      noted      noted
refunded in part   noted              noted      noted      noted      noted      noted      -
refunded in full   noted              noted      refunded   refunded   noted      noted      -
refund came back   noted              noted      noted      noted      noted      noted      succeeded
dispute opened     -                  -          disputed   disputed   -          -          -
dispute won        -                  -          -          -          -          succeeded  -
dispute lost       noted              noted      refunded   refunded   noted      refunded   -
dispute noted      noted              noted      noted      noted      noted      noted      noted
not returned       noted              noted      noted      noted      noted      noted      noted
return unclear     noted              noted      noted      noted      noted      noted      noted
accepted           pending,succeeded  succeeded  -          -          succeeded  -          -
`;

type FactName = keyof typeof facts;

function outcomeOf(status: ChargeStatus, name: FactName): string {
  const decision = decide(given(status), facts[name]);
  if (!decision) return '-';
  return statusesOf(decision).join() || (recordedAs(decision) ?? 'noted');
}

describe('The lifecycle of a charge', () => {
  it('is tested for every fact in every status, and goes as the table says', () => {
    const lines = expected.trim().split('\n');
    const [statuses, ...rows] = lines.map((line) => line.trim().split(/ {2,}/));
    expect(statuses).to.have.members([...chargeStatuses]);
    expect(rows.map(([fact]) => fact)).to.have.members(Object.keys(facts));
    for (const [fact, ...outcomes] of rows)
      expect(
        statuses!.map((status) => outcomeOf(status as ChargeStatus, fact as FactName)),
        fact,
      ).to.deep.equal(outcomes);
  });

  it('has the cause of every failure', () => {
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      const { message: failureMessage } = facts[cause];
      const patch = { failureMessage, failureCause: cause, failedAt: now, firstFailedAt: now };
      expect(decide(given('pending'), facts[cause])?.patch).to.deep.equal(patch);
    }
  });
});
