import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import {
  type AttemptCause,
  attemptTransitions,
  creatingAttemptStatuses,
  knownAttemptStatuses,
  liveAttemptStatuses,
  sentLiveAttemptStatuses,
} from '../../../../domain/payments/attempt/transitions.ts';
import { attemptStatuses } from '../../../../domain/payments/entities/attempt.ts';
import { follow } from '../../../../domain/shared/transitions.ts';
import { factsOf, itFollows } from '../../transition-table.ts';

const expected = `
             queued     sending      unconfirmed  open      lost      declined  expired   refused   cancelled  captured
sent         sending    -            -            -         -         -         -         -         -          -
not reached  -          queued       -            -         -         -         -         -         -          -
unclear      -          unconfirmed  -            -         -         -         -         -         -          -
accepted     -          open         open         -         -         -         -         -         -          -
refused      refused    refused      -            -         -         -         -         -         -          -
link lost    -          lost         lost         -         -         -         -         -         -          -
captured     captured   captured     captured     captured  captured  captured  captured  captured  captured   -
declined     declined   declined     declined     declined  declined  -         -         -         -          -
ended        cancelled  expired      expired      expired   expired   -         -         -         -          -
`;

describe('The lifecycle of an attempt', () => {
  itFollows(expected, {
    statuses: attemptStatuses,
    facts: factsOf(attemptTransitions),
    after: (status, fact) => follow(attemptTransitions, status, fact as AttemptCause),
  });

  it('records money in every status but captured', () => {
    for (const status of attemptStatuses)
      expect(follow(attemptTransitions, status, 'captured') ?? 'captured').to.equal('captured');
  });

  it('belongs to the create queue until it may have been sent, then to the check queue', () => {
    const statusesOf = (queue: 'charge-create' | 'charge-check') =>
      queues[queue].where.match(/(?<=')\w+(?=')/g)!.sort();
    expect(statusesOf('charge-create')).to.deep.equal([...creatingAttemptStatuses].sort());
    expect(statusesOf('charge-check')).to.deep.equal([...knownAttemptStatuses].sort());
    const neverSent = ['queued', 'cancelled'];
    for (const status of neverSent) expect(knownAttemptStatuses).to.not.include(status);
  });

  it('counts as live while it may still take money, and keeps its charge from failing once it was sent', () => {
    const live = ['lost', 'open', 'sending', 'unconfirmed'];
    expect(liveAttemptStatuses).to.have.members([...live, 'queued']);
    expect(sentLiveAttemptStatuses).to.have.members(live);
  });
});
