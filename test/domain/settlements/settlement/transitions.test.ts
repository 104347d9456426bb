import { expect } from 'chai';
import type { ProviderSettlement } from '../../../../domain/providers/port/settlement.ts';
import {
  settlementStatuses,
  settlementSteps,
} from '../../../../domain/settlements/entities/settlement.ts';
import {
  type SettlementCause,
  type SettlementStatus,
  type SettlementStep,
  type StepCause,
  settlementTransitions,
  statusAfter,
  stepAfterStatement,
  stepTransitions,
} from '../../../../domain/settlements/settlement/transitions.ts';
import { follow } from '../../../../domain/shared/transitions.ts';

/** Every cause in every status; `-` changes nothing. */
const statusTable = tableOf(`
              expected  landed  short   failed
landed        landed    -       landed  landed
landed short  short     short   -       short
failed        failed    failed  failed  -
`);

const stepTable = tableOf(`
                  forecast        pending         read_lines      unreadable      unclear         compute_totals  reconciled
stated landed     read_lines      read_lines      -               read_lines      read_lines      read_lines      read_lines
stated failed     compute_totals  compute_totals  compute_totals  compute_totals  compute_totals  -               compute_totals
stated pending    -               -               -               pending         -               pending         pending
stated unclear    unreadable      unreadable      unreadable      -               unreadable      unreadable      unreadable
lines read        -               -               compute_totals  -               -               -               -
line unclear      -               -               unclear         -               -               -               -
lines unreadable  -               -               unreadable      -               -               -               -
due again         -               -               -               read_lines      read_lines      -               -
totals computed   -               -               -               -               -               reconciled      -
payment changed   -               -               -               -               -               -               compute_totals
`);

function tableOf(text: string): [columns: string[], ...rows: string[][]] {
  const lines = text.trim().split('\n');
  return lines.map((line) => line.trim().split(/ {2,}/)) as [string[], ...string[][]];
}

const causesOf = (transitions: Record<string, object>) =>
  [...new Set(Object.values(transitions).flatMap((row) => Object.keys(row)))].sort();

describe('The lifecycle of a settlement', () => {
  const [statuses, ...causes] = statusTable;

  it('is tested for every cause in every status', () => {
    expect([...statuses].sort()).to.deep.equal([...settlementStatuses].sort());
    expect(causes.map(([cause]) => cause).sort()).to.deep.equal(causesOf(settlementTransitions));
  });

  it('goes from each status by each cause as the table says', () => {
    for (const [cause, ...outcomes] of causes)
      for (const [index, outcome] of outcomes.entries()) {
        const status = statuses[index] as SettlementStatus;
        const after = statusAfter(status, cause as SettlementCause);
        expect(after, `${status}, then ${cause}`).to.equal(outcome === '-' ? status : outcome);
      }
  });
});

describe('The reconciliation of a settlement', () => {
  const [steps, ...causes] = stepTable;

  it('is tested for every cause in every step', () => {
    expect([...steps].sort()).to.deep.equal([...settlementSteps].sort());
    expect(causes.map(([cause]) => cause).sort()).to.deep.equal(causesOf(stepTransitions));
  });

  it('goes from each step by each cause as the table says', () => {
    for (const [cause, ...outcomes] of causes)
      for (const [index, outcome] of outcomes.entries()) {
        const after = follow(stepTransitions, steps[index] as SettlementStep, cause as StepCause);
        const expected = outcome === '-' ? undefined : outcome;
        expect(after, `${steps[index]}, then ${cause}`).to.equal(expected);
      }
  });

  it('takes each statement as its cause, in every step', () => {
    const stated: [state: ProviderSettlement['state'], cause: string][] = [
      ['landed', 'stated landed'],
      ['failed', 'stated failed'],
      ['pending', 'stated pending'],
      ['unknown', 'stated pending'],
      ['unclear', 'stated unclear'],
    ];
    for (const [state, cause] of stated) {
      const [, ...outcomes] = causes.find(([name]) => name === cause)!;
      const after = steps.map((step) => stepAfterStatement(step as SettlementStep, state));
      const expected = outcomes.map((outcome, index) => (outcome === '-' ? steps[index] : outcome));
      expect(after, state).to.deep.equal(expected);
    }
  });
});
