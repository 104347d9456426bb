import { expect } from 'chai';
import type { ChargeState } from '../../../../domain/payments/charge/decision.ts';
import type { ChargeFact } from '../../../../domain/payments/charge/facts.ts';
import type { ChargeStatus } from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { afterFact, decide, eventsOf, facts, given, statusesOf } from './fixture.ts';

const run = (charge: ChargeState, reported: readonly ChargeFact[]) =>
  reported.reduce(afterFact, charge);

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('Facts in any order', () => {
  const { opened, settled, 'refunded in part': part, 'refunded in full': full } = facts;
  const stories: [name: string, reported: ChargeFact[], end: string, refundedKobo: number][] = [
    ['opened, paid, settled', [opened, facts.captured, settled], 'settled', 0],
    ['opened, paid, refunded in part', [opened, facts.captured, part], 'succeeded', 100_000],
    [
      'opened, paid, settled, refunded in part, refunded in full',
      [opened, facts.captured, settled, part, full],
      'refunded',
      500_000,
    ],
  ];
  for (const [name, reported, status, refundedKobo] of stories) {
    it(`lead to ${status}: ${name}`, () => {
      for (const order of permutations(reported)) {
        const end = run(given('initiated'), order);
        expect(end, order.map((fact) => fact.type).join()).to.include({ status, refundedKobo });
        expect(end.settledAt).to.equal(reported.includes(settled) ? settled.settledAt : null);
      }
    });
  }

  it('make a payment after its settlement line pass through both statuses, with one event', () => {
    for (const before of ['pending', 'failed'] as const) {
      const decision = decide(afterFact(given(before), facts.settled), facts.captured);
      expect(statusesOf(decision), before).to.deep.equal(['succeeded', 'settled']);
      expect(eventsOf(decision), before).to.deep.equal(['charge.succeeded']);
    }
  });
});

describe('A repeated fact', () => {
  // Whether the same review is open already is known to the database: advance-charge.test.ts
  const knownOtherwise = ['dispute noted', 'not returned', 'return unclear', 'refund came back'];

  it('changes nothing', () => {
    for (const [name, fact] of Object.entries(facts))
      for (const status of chargeStatuses)
        if (!knownOtherwise.includes(name))
          expect(decide(afterFact(given(status), fact), fact), `${status}: ${name}`).to.equal(
            undefined,
          );
  });
});

describe('Refunds', () => {
  const totals = (...kobo: number[]): ChargeFact[] =>
    kobo.map((totalKobo) => ({
      type: 'refunded',
      totalKobo,
      paidKobo: Math.max(500_000, totalKobo),
    }));

  it('that came back are not counted, in the status that the charge had before', () => {
    const came = facts['refund came back'];
    const settledAt = new Date('2026-03-03T00:00:00Z');
    const rows = [
      [given('refunded'), 0, 'succeeded', 0],
      [given('refunded', { settledAt }), 200_000, 'settled', 200_000],
      [given('succeeded', { refundedKobo: 300_000 }), 100_000, undefined, 100_000],
      [given('disputed', { refundedKobo: 300_000 }), 0, undefined, 0],
      // A lost dispute took the money all the same.
      [given('refunded'), null, undefined, undefined],
    ] as const;
    for (const [charge, totalKobo, status, refundedKobo] of rows) {
      const decision = decide(charge, { ...came, totalKobo });
      expect([decision?.status, decision?.patch.refundedKobo]).to.deep.equal([
        status,
        refundedKobo,
      ]);
      expect(decision?.effects.filter(({ type }) => type === 'open review')).to.have.length(1);
    }
  });

  it('add up, never to less than before nor to more than the amount, and the last part makes the charge refunded', () => {
    const rows: [before: ChargeStatus, totals: number[], after: ChargeStatus, kobo: number][] = [
      ['settled', [100_000, 499_999], 'settled', 499_999],
      ['settled', [499_999, 500_000], 'refunded', 500_000],
      ['succeeded', [300_000, 200_000], 'succeeded', 300_000],
      ['succeeded', [600_000], 'refunded', 500_000],
      ['disputed', [500_000], 'disputed', 500_000],
    ];
    for (const [before, kobo, status, refundedKobo] of rows)
      expect(run(given(before), totals(...kobo))).to.include({ status, refundedKobo });
  });

  it('make an underpaid charge refunded once all that was paid is refunded', () => {
    const paidShort = (totalKobo: number) =>
      run(given('succeeded'), [{ type: 'refunded', totalKobo, paidKobo: 400_000 }]);
    expect(paidShort(399_999)).to.include({ status: 'succeeded', refundedKobo: 399_999 });
    expect(paidShort(400_000)).to.include({ status: 'refunded', refundedKobo: 400_000 });
  });
});
