import { expect } from 'chai';
import { decideCharge } from '../../../../domain/payments/charge/decide.ts';
import {
  type ChargeStatus,
  chargeStatuses,
  chargeTransitions,
} from '../../../../domain/payments/charge/transitions.ts';
import { facts, given } from './given.ts';

/**
 * Every fact in every status: the statuses passed through, or how it leaves the status alone. `-` writes nothing; `noted` records what
 * the fact carries; `duplicate` records the money aside.
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
settled elsewhere  noted               noted       settled    noted      noted      noted      noted
refunded in part  noted                noted       noted      noted      noted      noted      -
refunded in full  noted                noted       refunded   refunded   noted      noted      -
dispute opened    -                    -           disputed   disputed   -          -          -
dispute won       -                    -           -          -          -          succeeded  -
dispute lost      noted                noted       refunded   refunded   noted      refunded   -
dispute aside     noted                noted       noted      noted      noted      noted      noted
grown             noted                noted       noted      noted      noted      noted      noted
accepted          pending,succeeded    succeeded   -          -          succeeded  -          -
`;

function rowsOf(
  table: string,
): [fact: keyof typeof facts, status: ChargeStatus, outcome: string][] {
  const [head = '', ...lines] = table.trim().split('\n');
  const statuses = head.trim().split(/ +/) as ChargeStatus[];
  return lines.flatMap((line) => {
    const [fact = '', ...outcomes] = line.split(/ {2,}/);
    return outcomes.map((outcome, index): [keyof typeof facts, ChargeStatus, string] => [
      fact as keyof typeof facts,
      statuses[index]!,
      outcome,
    ]);
  });
}

function outcomeOf(status: ChargeStatus, name: keyof typeof facts): string {
  const decision = decideCharge(given(status), facts[name]);
  if (decision === undefined) return '-';
  if (decision.moves.length > 0) return decision.moves.join();
  return decision.captureStatus ?? 'noted';
}

describe('The lifecycle of a charge', () => {
  const rows = rowsOf(expected);

  it('is tested for every fact in every status', () => {
    expect(new Set(rows.map(([fact, status]) => `${fact} ${status}`)).size).to.equal(
      Object.keys(facts).length * chargeStatuses.length,
    );
  });

  for (const [fact, status, outcome] of rows) {
    it(`${status}, then ${fact}: ${outcome === '-' ? 'nothing is written' : outcome}`, () => {
      expect(outcomeOf(status, fact)).to.equal(outcome);
    });
  }

  it('moves along the arrows of the contract and no others, but for late money after a failure', () => {
    const arrows = Object.entries(chargeTransitions).flatMap(([from, row]) =>
      Object.values(row).map((to) => `${from} → ${to}`),
    );
    expect([...new Set(arrows)]).to.have.members([
      ...[
        'initiated → pending',
        'initiated → succeeded',
        'initiated → failed',
        'pending → succeeded',
        'pending → failed',
      ],
      ...[
        'succeeded → settled',
        'succeeded → refunded',
        'succeeded → disputed',
        'settled → refunded',
        'settled → disputed',
      ],
      ...[
        'disputed → succeeded',
        'disputed → settled',
        'disputed → refunded',
        'failed → succeeded',
      ],
    ]);
  });
});

describe('What a move of a charge writes', () => {
  it('fails with the message and cause of the fact, and one event', () => {
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      const decision = decideCharge(given('pending'), facts[cause]);
      expect(decision?.patch).to.deep.equal({
        failureMessage: facts[cause].message,
        failureCause: cause,
      });
      expect(decision?.event).to.equal('charge.failed');
    }
  });

  it('succeeds with what the provider stated: fee, channel, payment, connection, and when it was paid', () => {
    const {
      feeKobo,
      channel,
      providerPaymentId: providerReference,
      slot,
      connectionId,
      capturedAt: occurredAt,
    } = facts.captured;
    const decision = decideCharge(given('pending'), facts.captured);
    expect(decision?.patch).to.deep.equal({
      ...{ feeKobo, channel, providerReference, slot, connectionId, occurredAt },
      failureMessage: null,
      failureCause: null,
    });
    expect(decision).to.deep.include({
      event: 'charge.succeeded',
      captureStatus: 'applied',
      review: [],
    });
  });

  it('settles with date, settlement and fee, and tells nobody', () => {
    const decision = decideCharge(given('succeeded'), facts.settled);
    const { settledAt, settlementId, feeKobo } = facts.settled;
    expect(decision).to.deep.equal({
      moves: ['settled'],
      patch: { settledAt, settlementId, feeKobo },
      review: [],
    });
  });

  it('is disputed with an event; winning gives back what it was and tells nobody', () => {
    expect(decideCharge(given('settled'), facts['dispute opened'])?.event).to.equal(
      'charge.disputed',
    );
    const disputed = given('disputed');
    const settledAt = facts.settled.settledAt;
    expect(decideCharge(disputed, facts['dispute won'])).to.deep.equal({
      moves: ['succeeded'],
      patch: {},
      review: [],
    });
    expect(decideCharge({ ...disputed, settledAt }, facts['dispute won'])).to.deep.equal({
      moves: ['settled'],
      patch: {},
      review: [],
    });
  });

  it('loses a dispute with the whole amount refunded', () => {
    expect(decideCharge(given('disputed'), facts['dispute lost'])?.patch).to.deep.equal({
      refundedKobo: 500_000,
    });
  });

  it('shows the connection a later payment is open at, and nothing where it is the same', () => {
    const elsewhere = { type: 'opened', slot: 'provider_b', connectionId: 'con_b' } as const;
    expect(decideCharge(given('pending'), elsewhere)?.patch).to.deep.equal({
      slot: 'provider_b',
      connectionId: 'con_b',
    });
    expect(decideCharge(given('succeeded'), elsewhere)).to.equal(undefined);
  });
});
