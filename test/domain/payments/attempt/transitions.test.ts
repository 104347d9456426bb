import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import {
  type AttemptCause,
  type AttemptStatus,
  attemptTransitions,
  creatingAttemptStatuses,
  knownAttemptStatuses,
  liveAttemptStatuses,
  sentLiveAttemptStatuses,
} from '../../../../domain/payments/attempt/transitions.ts';
import { attemptStatuses } from '../../../../domain/payments/entities/attempt.ts';
import { follow } from '../../../../domain/shared/transitions.ts';

/** Every fact in every status; `-` changes nothing. */
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

const rows = expected
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));
const [statuses, ...facts] = rows as [AttemptStatus[], ...string[][]];

describe('The lifecycle of an attempt', () => {
  it('is tested for every fact in every status', () => {
    expect([...statuses].sort()).to.deep.equal([...attemptStatuses].sort());
    const known = new Set(Object.values(attemptTransitions).flatMap((row) => Object.keys(row)));
    expect(facts.map(([fact]) => fact).sort()).to.deep.equal([...known].sort());
  });

  for (const [fact, ...outcomes] of facts) {
    for (const [index, outcome] of outcomes.entries()) {
      const status = statuses[index]!;
      it(`${status}, then ${fact}: ${outcome === '-' ? 'stays' : outcome}`, () => {
        expect(follow(attemptTransitions, status, fact as AttemptCause)).to.equal(
          outcome === '-' ? undefined : outcome,
        );
      });
    }
  }

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

  it('counts as live while it may still take money', () => {
    expect([...liveAttemptStatuses].sort()).to.deep.equal([
      'lost',
      'open',
      'queued',
      'sending',
      'unconfirmed',
    ]);
  });

  it('keeps its charge from failing while its provider may know of it and it may take money', () => {
    const live = liveAttemptStatuses.filter((status) => status !== 'queued');
    expect([...sentLiveAttemptStatuses].sort()).to.deep.equal(live.sort());
  });
});
