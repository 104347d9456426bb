import { expect } from 'chai';
import { SetupError } from '../../../config/setup-error.ts';
import { planFaults } from '../../../scripts/chaos/plan.ts';

const fault = (targets: string[]) => ({
  ...{ targets, lastsMs: [1_000, 4_000] as const },
  begin: async () => {},
  end: async () => {},
});
const faults = { kill: fault(['api', 'workers']), cut: fault(['redis']), empty: fault(['redis']) };

describe('The plan of a chaos run', () => {
  it('is the same for the same seed, and another for another', () => {
    const plan = planFaults(faults, 7, 120_000);
    expect(planFaults(faults, 7, 120_000)).to.deep.equal(plan);
    expect(planFaults(faults, 8, 120_000)).to.not.deep.equal(plan);
  });

  it('has every kind before any comes again, each target in turn, one after the other', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const plan = planFaults(faults, seed, 120_000);
      const kinds = Object.keys(faults).length;
      for (let at = 0; at + kinds <= plan.length; at += kinds)
        expect(new Set(plan.slice(at, at + kinds).map(({ kind }) => kind)).size).to.equal(kinds);
      const killed = plan.filter(({ kind }) => kind === 'kill').map(({ target }) => target);
      expect(killed.slice(0, 2).sort()).to.deep.equal(['api', 'workers']);
      for (const [n, { atMs, forMs }] of plan.slice(0, -1).entries())
        expect(plan[n + 1]!.atMs).to.be.at.least(atMs + forMs + 3_000);
      expect(plan.at(-1)!.atMs).to.be.below(120_000);
    }
  });

  it('says so where no fault is left', () => {
    expect(() => planFaults({}, 1, 120_000)).to.throw(SetupError, 'no such fault');
  });
});
