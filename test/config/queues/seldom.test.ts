import { expect } from 'chai';
import { seldom } from '../../../config/queues/seldom.ts';

describe('The errors of a worker whose store refuses', () => {
  it('are told once a minute', () => {
    let nowMs = 0;
    const told: string[] = [];
    const onError = seldom(
      ({ message }) => told.push(message),
      () => nowMs,
    );
    for (; nowMs < 130_000; nowMs += 100) onError(new Error(`OOM at ${nowMs}`));
    expect(told).to.deep.equal(['OOM at 0', 'OOM at 60000', 'OOM at 120000']);
  });
});
