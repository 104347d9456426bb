import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createQueueThrottle, type QueueThrottle } from '../../../config/queues/queue-throttle.ts';
import type { Queues } from '../../../config/queues/queues.ts';
import type { Job } from '../../../domain/jobs.ts';
import { leapingTime } from '../../support/connection-task.ts';

const QUEUE = 'webhook-deliver';
const PER_GROUP = 10;

describe('The throttle of a queue', () => {
  let throttle: QueueThrottle;
  let length: () => Promise<number>;
  let looks: number;
  let time: ReturnType<typeof leapingTime>;
  beforeEach(() => {
    [looks, length] = [0, async () => 0];
    time = leapingTime();
    const queue = {
      async getJobCounts() {
        looks++;
        const jobs = await length();
        return { waiting: Math.floor(jobs / 2), prioritized: Math.ceil(jobs / 2) };
      },
    };
    throttle = createQueueThrottle({ all: new Map([[QUEUE, queue]]) } as unknown as Queues);
  });
  afterEach(() => time[Symbol.dispose]());

  const jobsOf = (group: string, count: number, isSwept = false): Job[] =>
    Array.from({ length: count }, (_, n) => ({
      ...{ queue: QUEUE, id: `dlv_${group}${n}`, tries: 0, group, isSwept },
    }));
  const admitted = (group: string, count: number, isSwept = false) =>
    throttle.admit(QUEUE, jobsOf(group, count, isSwept)).length;
  /** A second passes in which somebody enqueues, so that the length of the queue is known. */
  const passSecond = async () => {
    time.leap(1_001);
    throttle.admit(QUEUE, []);
    await setImmediate();
  };
  const lengthIs = async (jobs: number) => {
    length = async () => jobs;
    await passSecond();
  };

  it('lets 500 fresh rows of each group a second into a short queue, and one of fifty beyond', async () => {
    await lengthIs(2_000);
    expect(admitted('whe_a', 5_000)).to.equal(500 + 90);
    expect(admitted('whe_b', 3), 'another group').to.equal(3);
    await passSecond();
    expect(admitted('whe_a', 500)).to.equal(500);
  });

  it('has the workers of the last one, and of those beyond, claim the others', async () => {
    const rows = throttle.admit(QUEUE, jobsOf('whe_a', 620));
    const claiming = rows.filter(({ isSwept }) => isSwept).map(({ id }) => id);
    expect(claiming).to.deep.equal(['dlv_whe_a499', 'dlv_whe_a549', 'dlv_whe_a599']);
    expect(rows).to.have.length(502);
    expect(throttle.admit(QUEUE, jobsOf('whe_b', 499)).some(({ isSwept }) => isSwept)).to.equal(
      false,
    );
  });

  it('lets ten fresh rows of each group a second into a long one', async () => {
    await lengthIs(2_001);
    expect(admitted('whe_a', 8)).to.equal(8);
    expect(admitted('whe_a', 8)).to.equal(2);
    expect(admitted('whe_b', 3), 'another group').to.equal(3);
    await passSecond();
    expect(admitted('whe_a', 100)).to.equal(PER_GROUP);
  });

  it('lets in what the sweeper enqueues: it shares by group itself', async () => {
    await lengthIs(1_000_000);
    expect(admitted('whe_a', 5_000, true)).to.equal(5_000);
    expect(admitted('whe_a', 20)).to.equal(PER_GROUP);
  });

  it('opens again when the queue is short again', async () => {
    await lengthIs(100_000);
    await lengthIs(0);
    expect(admitted('whe_a', 500)).to.equal(500);
  });

  it('looks at the length once a second, however much is enqueued, and nobody waits for it', async () => {
    length = () => new Promise(() => {});
    for (let n = 0; n < 100; n++) expect(admitted(`whe_${n}`, 100)).to.equal(100);
    expect(looks).to.equal(1);
  });

  it('lets everything in while the length cannot be read', async () => {
    await lengthIs(100_000);
    length = async () => Promise.reject(new Error('the store is away'));
    await passSecond();
    expect(admitted('whe_a', 500)).to.equal(500);
  });
});
