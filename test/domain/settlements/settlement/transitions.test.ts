import { expect } from 'chai';
import type { ProviderSettlement } from '../../../../domain/providers/port/settlement.ts';
import {
  settlementStatuses,
  settlementSteps,
} from '../../../../domain/settlements/entities/settlement.ts';
import {
  type SettlementCause,
  type StepCause,
  settlementTransitions,
  statusAfter,
  stepAfterStatement,
  stepTransitions,
} from '../../../../domain/settlements/settlement/transitions.ts';
import { follow } from '../../../../domain/shared/transitions.ts';
import { factsOf, itFollows } from '../../transition-table.ts';

const statusTable = `
              expected  landed  short   failed
landed        landed    -       landed  landed
landed short  short     short   -       short
failed        failed    failed  failed  -
`;

const stepTable = `
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
`;

describe('The lifecycle of a settlement', () => {
  itFollows(statusTable, {
    statuses: settlementStatuses,
    facts: factsOf(settlementTransitions) as SettlementCause[],
    after(status, cause) {
      const after = statusAfter(status, cause);
      return after === status ? undefined : after;
    },
  });
});

describe('The reconciliation of a settlement', () => {
  itFollows(stepTable, {
    statuses: settlementSteps,
    facts: factsOf(stepTransitions) as StepCause[],
    after: (step, cause) => follow(stepTransitions, step, cause),
  });

  it('takes each statement as its cause, in every step', () => {
    const stated: [state: ProviderSettlement['state'], cause: StepCause][] = [
      ['landed', 'stated landed'],
      ['failed', 'stated failed'],
      ['pending', 'stated pending'],
      ['unknown', 'stated pending'],
      ['unclear', 'stated unclear'],
    ];
    for (const [state, cause] of stated)
      for (const step of settlementSteps)
        expect(stepAfterStatement(step, state), `${state} in ${step}`).to.equal(
          follow(stepTransitions, step, cause) ?? step,
        );
  });
});
