import { expect } from 'chai';
import { type Breakable, breakable } from '../support/breakable.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { until } from '../support/until.ts';
import { type Limiter, newPlace, openLimiter, type Place, takeMany } from './limiter.ts';

/** So long the store is waited for, unless the wait is what a test is about. */
const PATIENCE_MS = 300;
const limit = { points: 300, windowMs: 60_000 };

describeOnEachQueue('A limit whose store is away', (queues) => {
  let place: Place;
  let way: Breakable;
  let scope: AsyncDisposableStack;
  beforeEach(async () => {
    place = await newPlace(queues);
    scope = new AsyncDisposableStack();
    way = scope.use(await breakable(queues === 'redis' ? place.redisUrl! : place.databaseUrl));
  });
  afterEach(() => {
    way.cut();
    return scope.disposeAsync();
  });

  /**
   * A process that reaches the store by the way that breaks. On a busy machine a store that is
   * there takes its time, too.
   */
  const open = async (processes: number, storeTimeoutMs = PATIENCE_MS): Promise<Limiter> => {
    const broken =
      queues === 'redis' ? { ...place, redisUrl: way.url } : { ...place, databaseUrl: way.url };
    return scope.use(await openLimiter(broken, limit, { processes, storeTimeoutMs }));
  };
  const take = (limiter: Limiter) => limiter.take('secretKey', 'somebody');

  const outages: [title: string, begin: () => void][] = [
    ['refuses', () => way.cut()],
    ['hangs', () => way.silence()],
  ];
  for (const [title, begin] of outages) {
    it(`goes on from what this process granted, to its share, when it ${title}; that is logged once`, async () => {
      const limiter = await open(4);
      expect(await takeMany([limiter], 12)).to.equal(12);
      begin();
      expect(await takeMany([limiter], 100)).to.equal(75 - 12);
      expect(await take(limiter)).to.include({ allowed: false, remaining: 0, limit: 300 });
      expect(await takeMany([limiter], 100, 'somebody else')).to.equal(75);
      expect(limiter.logged).to.have.length(1);
      expect(limiter.logged[0]).to.equal('store not reachable');
    });

    it(`costs no request more than a moment when it ${title}, and most nothing`, async () => {
      const limiter = await open(1, 50);
      await take(limiter);
      begin();
      const tookMs: number[] = [];
      for (let sent = 0; sent < 60; sent++) {
        const startedMs = performance.now();
        expect(await take(limiter)).to.include({ allowed: true });
        tookMs.push(performance.now() - startedMs);
      }
      expect(Math.max(...tookMs)).to.be.below(1_000);
      expect(tookMs.filter((ms) => ms > 40).length).to.be.at.most(5);
      expect(limiter.asked.length).to.be.at.most(5);
    });

    it(`is counted together again once the store is back, with what was granted while it ${title}`, async () => {
      const [near, far] = [await open(2), scope.use(await openLimiter(place, limit))];
      expect(await takeMany([near], 10)).to.equal(10);
      begin();
      expect(await takeMany([near], 90)).to.equal(90);
      way.mend();
      let granted = 100;
      await until('the store’s return', async () => {
        if ((await take(near)).allowed) granted += 1;
        return near.logged.length === 2;
      });
      expect(near.logged[1]).to.equal('store reachable again');
      granted += await takeMany([near, far], 400);
      expect(granted).to.equal(300);
    });
  }

  for (const processes of [1, 2]) {
    it(`is counted once when the store’s answer comes late (${processes} sharing it)`, async () => {
      const answers = Promise.withResolvers<void>();
      const slow = { processes, storeTimeoutMs: PATIENCE_MS, answersAfter: answers.promise };
      const [near, far] = [
        scope.use(await openLimiter(place, limit, slow)),
        scope.use(await openLimiter(place, limit)),
      ];
      let granted = await takeMany([near], 5);
      expect(near.asked).to.deep.equal([10]);
      answers.resolve();
      await until('the store’s return', async () => {
        granted += await takeMany([near], 1);
        return near.logged.length === 2;
      });
      granted += await takeMany([far, near], 800);
      expect(granted).to.equal(300);
    });
  }

  it('grants no more than the limit alone, when an answer comes late after all of it', async () => {
    const answers = Promise.withResolvers<void>();
    const limiter = scope.use(
      await openLimiter(place, limit, {
        storeTimeoutMs: PATIENCE_MS,
        answersAfter: answers.promise,
      }),
    );
    expect(await takeMany([limiter], 400)).to.equal(300);
    answers.resolve();
    await until('the store’s return', async () => {
      expect(await take(limiter)).to.include({ allowed: false });
      return limiter.logged.length === 2;
    });
    expect(await takeMany([limiter], 400)).to.equal(0);
  });

  it('gives back what was granted alone', async () => {
    const limiter = await open(1);
    way.cut();
    for (let tried = 0; tried < 400; tried++) {
      expect(await take(limiter)).to.include({ allowed: true });
      await limiter.giveBack('secretKey', 'somebody');
    }
    expect(await takeMany([limiter], 400)).to.equal(300);
  });

  it('is granted from the first request on, though the store was never there', async () => {
    way.cut();
    const limiter = await open(3);
    expect(await takeMany([limiter], 200)).to.equal(100);
    expect(limiter.logged).to.have.length(1);
    way.mend();
    await until('the store', async () => {
      await take(limiter);
      return limiter.logged.length === 2;
    });
  });
});
