import { expect } from 'chai';
import {
  type ChargeStatus,
  chargeTransitions,
} from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { step } from '../../../../domain/shared/transitions.ts';
import {
  decide,
  effectsOf,
  eventsOf,
  facts,
  given,
  now,
  recordedAs,
  statusesOf,
} from './fixture.ts';

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
settled elsewhere  noted               noted       settled    noted      noted      noted      noted
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
  const decision = decide(given(status), facts[name]);
  if (decision === undefined) return '-';
  return statusesOf(decision).join() || (recordedAs(decision) ?? 'noted');
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

  it('has the contract’s transitions and no others, but for late money and refunds that come back', () => {
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
        'refunded → succeeded',
        'refunded → settled',
      ],
    ]);
  });
});

describe('A transition of a charge', () => {
  it('to failed has the message and cause of the fact, and one event', () => {
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      const decision = decide(given('pending'), facts[cause]);
      expect(decision?.patch).to.deep.equal({
        failureMessage: facts[cause].message,
        failureCause: cause,
        failedAt: now,
      });
      expect(eventsOf(decision)).to.deep.equal(['charge.failed']);
      expect(effectsOf(decision, 'watch attempts')).to.have.length(1);
    }
  });

  it('to succeeded has the provider’s fee, channel, payment, connection and time', () => {
    const {
      feeKobo,
      channel,
      providerPaymentId: providerReference,
      slot,
      connectionId,
      capturedAt: occurredAt,
    } = facts.captured;
    const decision = decide(given('pending'), facts.captured);
    expect(decision?.patch).to.deep.equal({
      ...{ feeKobo, channel, providerReference, slot, connectionId, occurredAt },
      captureId: 'cap_1',
      failureMessage: null,
      failureCause: null,
      failedAt: null,
    });
    expect(eventsOf(decision)).to.deep.equal(['charge.succeeded']);
    expect(recordedAs(decision)).to.equal('applied');
    expect(effectsOf(decision, 'open review')).to.deep.equal([]);
  });

  it('to settled has date, settlement and fee, and no event', () => {
    const decision = decide(given('succeeded'), facts.settled);
    const { settledAt, settlementId, feeKobo } = facts.settled;
    const detail = 'Paid out with settlement stl_1.';
    expect(decision).to.deep.equal({
      status: 'settled',
      patch: { settledAt, settlementId, feeKobo },
      effects: [{ type: 'append to timeline', entry: { what: 'charge.settled', detail } }],
    });
  });

  it('to disputed has an event; winning restores the status before, without an event', () => {
    expect(eventsOf(decide(given('settled'), facts['dispute opened']))).to.deep.equal([
      'charge.disputed',
    ]);
    const disputed = given('disputed');
    const settledAt = facts.settled.settledAt;
    for (const [charge, status] of [
      [disputed, 'succeeded'],
      [{ ...disputed, settledAt }, 'settled'],
    ] as const) {
      const decision = decide(charge, facts['dispute won']);
      expect(decision).to.deep.include({ status, patch: {} });
      expect(eventsOf(decision)).to.deep.equal([]);
    }
  });

  it('by a lost dispute refunds the whole amount', () => {
    expect(decide(given('disputed'), facts['dispute lost'])?.patch).to.deep.equal({
      refundedKobo: 500_000,
    });
  });

  it('to pending shows the connection of a later attempt, and writes nothing where it is the same', () => {
    const elsewhere = { type: 'opened', slot: 'provider_b', connectionId: 'con_b' } as const;
    expect(decide(given('pending'), elsewhere)?.patch).to.deep.equal({
      slot: 'provider_b',
      connectionId: 'con_b',
    });
    expect(decide(given('succeeded'), elsewhere)).to.equal(undefined);
  });

  it('to refunded cancels the refund requests that still wait', () => {
    const decision = decide(given('settled'), facts['refunded in full']);
    expect(effectsOf(decision, 'cancel refund requests')).to.deep.equal([
      { type: 'cancel refund requests', reason: 'The charge was refunded in full.' },
    ]);
    const inPart = decide(given('settled'), facts['refunded in part']);
    expect(effectsOf(inPart, 'cancel refund requests')).to.deep.equal([]);
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
