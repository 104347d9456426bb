import { expect } from 'chai';
import { nextRetryAt, nextSnoozeAt } from '../../../domain/shared/retry.ts';
import { SECOND } from '../../support/clock.ts';

describe('The schedule of retries', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const waits = (next: (n: number) => Date) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => (next(n).getTime() - now.getTime()) / SECOND);

  it('waits longer after each try, five minutes at most', () => {
    expect(waits((n) => nextRetryAt(n, now))).to.deep.equal([2, 5, 15, 30, 60, 120, 300, 300, 300]);
  });

  it('snoozes for the same waits, and never ends before the requested time', () => {
    // `n` claims, of which the last is not counted yet
    const snoozes = (retryAfterMs: number | null) =>
      waits((n) => nextSnoozeAt(n - 1, retryAfterMs, now));
    expect(snoozes(null)).to.deep.equal([2, 5, 15, 30, 60, 120, 300, 300, 300]);
    expect(snoozes(40 * SECOND)).to.deep.equal([40, 40, 40, 40, 60, 120, 300, 300, 300]);
  });

  it('waits as after the first try when there was no try yet', () => {
    expect(nextRetryAt(0, now)).to.deep.equal(nextRetryAt(1, now));
  });
});
