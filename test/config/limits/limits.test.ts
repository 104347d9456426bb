import { expect } from 'chai';
import { Redis } from 'ioredis';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { until } from '../../support/until.ts';
import {
  type Counters,
  type Limiter,
  openLimiter,
  queryCounters,
  takeMany,
  useCounters,
} from './limiter.ts';

const MINUTE = 60_000;

describe('The limits', () => {
  it('are those of the contract, and windows are whole seconds', () => {
    const { secretKey, userToken, publicKey } = rateLimits;
    expect([secretKey, userToken, publicKey]).to.deep.equal(
      [300, 600, 60].map((points) => ({ points, windowMs: MINUTE })),
    );
    for (const [name, { windowMs }] of Object.entries(rateLimits))
      expect(windowMs % 1_000, name).to.equal(0);
  });
});

describeOnEachQueue('A limit', (queues) => {
  const counters = useCounters(queues);

  const open = async (points: number, windowMs = MINUTE, processes = 1): Promise<Limiter> =>
    counters.scope.use(await openLimiter(counters, { points, windowMs }, { processes }));
  const take = (limiter: Limiter) => limiter.take('secretKey', 'somebody');
  const ended = (ms: number) => until('the end of the window', async () => performance.now() > ms);

  for (const points of [1, 29, 301]) {
    it(`of ${points} is granted exactly to requests at the same time, with the points that remain`, async () => {
      const limiter = await open(points);
      const takes = await Promise.all(Array.from({ length: points + 50 }, () => take(limiter)));
      const granted = takes.filter(({ allowed }) => allowed);
      expect(granted).to.have.length(points);
      expect(granted.map(({ remaining }) => remaining).sort((a, b) => a - b)).to.deep.equal([
        ...Array(points).keys(),
      ]);
      for (const { limit, remaining, allowed, resetMs } of takes) {
        expect(limit).to.equal(points);
        expect(resetMs).to.be.within(MINUTE - 20_000, MINUTE);
        if (!allowed) expect(remaining).to.equal(0);
      }
    });

    it(`of ${points} is shared by processes: together they grant exactly that`, async () => {
      const limiters = [await open(points), await open(points), await open(points)];
      expect(await takeMany(limiters, 3 * points + 100)).to.equal(points);
      expect(await takeMany(limiters, 30)).to.equal(0);
    });
  }

  it('asks the store at most ten times for a hundred requests, one after the other or at once', async () => {
    const limiter = await open(300);
    for (let sent = 0; sent < 100; sent++) await take(limiter);
    expect(limiter.asked).to.deep.equal(Array(10).fill(10));
    expect(await takeMany([limiter], 100)).to.equal(100);
    expect(limiter.asked).to.have.length(20);
  });

  it('strands no more than a tenth of its points in ten processes that hold some', async () => {
    const limiters = [];
    for (let n = 0; n < 10; n++) limiters.push(await open(300, MINUTE, 10));
    expect(await takeMany(limiters, 10)).to.equal(10);
    expect(await takeMany([limiters[0]!], 300)).to.be.at.least(300 - 30 - 10);
    expect(await takeMany(limiters, 300), 'and what is left is granted').to.be.within(1, 30);
  });

  it('asks the store nothing once it is used up', async () => {
    const limiter = await open(300);
    expect(await takeMany([limiter], 301)).to.equal(300);
    const asked = limiter.asked.length;
    expect(await takeMany([limiter], 200)).to.equal(0);
    expect(limiter.asked).to.have.length(asked);
  });

  it('counts each subject and each rule by itself', async () => {
    const limiter = await open(2);
    expect(await takeMany([limiter], 5, 'ada')).to.equal(2);
    expect(await takeMany([limiter], 5, 'bola')).to.equal(2);
    expect(await limiter.take('userToken', 'ada')).to.include({ allowed: true });
  });

  it('is granted in full again the moment the announced window ends', async () => {
    const limiter = await open(5, 1_000);
    const again = async (subject: string): Promise<number> => {
      const askedMs = performance.now();
      const { resetMs } = await limiter.take('secretKey', subject);
      const endMs = performance.now() + resetMs;
      await takeMany([limiter], 10, subject);
      const spentMs = performance.now();
      await ended(endMs);
      const granted = await takeMany([limiter], 10, subject);
      // On a machine too busy to take ten points in a window, the test tries again.
      return spentMs < askedMs + resetMs && performance.now() < endMs + 1_000
        ? granted
        : again(`${subject} again`);
    };
    const granted = await Promise.all(
      Array.from({ length: 100 }, (_, index) => again(`subject ${index}`)),
    );
    expect(granted).to.deep.equal(Array(100).fill(5));
  });

  it('drops what is left of a block when the window ends', async () => {
    const [near, far] = [await open(60, 2_000), await open(60, 2_000)];
    const { resetMs } = await take(near); // holds one more now
    await ended(performance.now() + resetMs);
    expect(await takeMany([far], 60)).to.equal(60);
    expect(await take(near)).to.include({ allowed: false });
  });

  it('counts only failures when the points of successes are given back', async () => {
    const [near, far] = [await open(10), await open(10)];
    for (let tried = 0; tried < 30; tried++) {
      const one = tried % 2 === 0 ? near : far;
      expect(await take(one)).to.include({ allowed: true });
      await one.giveBack('secretKey', 'somebody');
    }
    expect(await takeMany([far], 9)).to.equal(9);
    expect(await take(far)).to.include({ allowed: true, remaining: 0 });
    expect(await takeMany([near, far], 10)).to.equal(0);
  });

  it('grants no more at once than one by one, and grants again a point that was given back', async () => {
    const limiter = await open(10);
    expect(await takeMany([limiter], 100)).to.equal(10);
    await limiter.giveBack('secretKey', 'somebody');
    expect(await takeMany([limiter], 100)).to.equal(1);
  });

  it('ignores a point given back that was not granted, or after the window', async () => {
    const limiter = await open(5, 1_000);
    await limiter.giveBack('secretKey', 'somebody');
    const { resetMs } = await take(limiter);
    await ended(performance.now() + resetMs);
    await limiter.giveBack('secretKey', 'somebody');
    expect(await takeMany([limiter], 20)).to.equal(5);
  });

  it('ignores a point given back by a process that was granted none, after another took them all', async () => {
    const [near, far] = [await open(10), await open(10)];
    expect(await takeMany([near], 10)).to.equal(10);
    expect(await take(far)).to.include({ allowed: false });
    await far.giveBack('secretKey', 'somebody');
    expect(await takeMany([near, far], 10)).to.equal(0);
  });

  it('leaves only a hash of its subject in the store', async () => {
    const limiter = await open(5);
    await limiter.take('signInAccount', 'ada@example.com');
    const [key, ...others] =
      queues === 'redis' ? await redisKeys(counters) : await postgresKeys(counters);
    expect(others).to.deep.equal([]);
    expect(key).to.match(/limit:signInAccount:[0-9a-f]{64}$/);
  });

  if (queues === 'redis') return;

  it('drops windows that ended a while ago, and no others', async () => {
    const limiter = await open(5);
    await take(limiter);
    const [longAgo, justNow] = [600_000, 1_000].map((ms) => Date.now() - ms);
    await queryCounters(
      counters,
      `insert into rate_limits values ('old', 1, ${longAgo}), ('just over', 1, ${justNow})`,
    );
    await limiter.store.sweep();
    const left = (await postgresKeys(counters)).map((key) => key.slice(0, 9));
    expect(left.sort()).to.deep.equal(['just over', 'limit:sec']);
  });
});

async function redisKeys({ redisUrl, prefix }: Counters): Promise<string[]> {
  const client = new Redis(redisUrl!);
  const keys = await client.keys(`${prefix}*`);
  client.disconnect();
  return keys;
}

async function postgresKeys(counters: Counters): Promise<string[]> {
  return (await queryCounters(counters, 'select key from rate_limits')).map(({ key }) => key);
}
