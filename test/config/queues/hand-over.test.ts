import { expect } from 'chai';
import { createHandOver, type HandOver } from '../../../config/queues/hand-over.ts';
import type { Queues } from '../../../config/queues/queues.ts';
import type { Job } from '../../../domain/jobs.ts';
import { until } from '../../support/until.ts';

describe('Rows that a process works on itself', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  let isPaused: boolean;
  let looks: number;
  let taken: string[];
  let handOver: HandOver;
  beforeEach(() => {
    isPaused = false;
    looks = 0;
    taken = [];
    const queue = {
      async isPaused() {
        looks += 1;
        return isPaused;
      },
    };
    handOver = createHandOver({ all: { get: () => queue } } as unknown as Pick<Queues, 'all'>, 5);
  });

  const job = (id: string, more: Partial<Job> = {}): Job => ({
    ...{ queue: 'webhook-deliver', group: 'whe_a', id, tries: 0 },
    ...more,
  });
  /** Takes all but the last. */
  const register = () =>
    handOver.register('webhook-deliver', (jobs) => {
      taken.push(...jobs.slice(0, -1).map(({ id }) => id));
      return jobs.slice(-1);
    });
  const left = (...jobs: Job[]) => handOver.offer(jobs, now).map(({ id }) => id);

  it('get no job, unless there is no room for them', () => {
    using _registered = register();
    expect(left(job('a'), job('b', { dueAt: now }), job('c'))).to.deep.equal(['c']);
    expect(taken).to.deep.equal(['a', 'b']);
  });

  it('are of this queue, due now, and not swept', () => {
    using _registered = register();
    const later = new Date(now.getTime() + 1);
    const others = [
      job('check', { queue: 'charge-check' }),
      job('later', { dueAt: later }),
      job('swept', { isSwept: true }),
    ];
    for (const other of others)
      expect(left(job('a'), other, job('z'))).to.have.members([other.id, 'z']);
    expect(taken).to.deep.equal(['a', 'a', 'a']);
  });

  it('get jobs again once nobody takes them', () => {
    register()[Symbol.dispose]();
    expect(left(job('a'), job('b'))).to.deep.equal(['a', 'b']);
  });

  it('get jobs while the queue is paused, the first that come after a silence too', async () => {
    using _registered = register();
    expect(left(job('a'), job('b'))).to.deep.equal(['b']);
    isPaused = true;
    const before = looks;
    await until('it has looked twice', async () => looks > before + 1);
    expect(left(job('c'), job('d'))).to.deep.equal(['c', 'd']);
  });
});
