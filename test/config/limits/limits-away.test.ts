import { expect } from 'chai';
import { openTcpProxy, type TcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { until } from '../../support/until.ts';
import {
  type Counters,
  type Limiter,
  type LimiterOptions,
  openLimiter,
  takeMany,
  useCounters,
} from './limiter.ts';

const PATIENCE_MS = 300;
const AWAY = 'store not reachable';
const BACK = 'store reachable again';
const limit = { points: 300, windowMs: 60_000 };

describeOnEachQueue('A limit whose store is away', (queues) => {
  let link: TcpProxy;
  afterEach(() => link?.cut()); // before limiters close, which would wait for an answer
  const counters = useCounters(queues);
  const urlName = queues === 'redis' ? 'redisUrl' : 'databaseUrl';
  beforeEach(async () => {
    link = counters.scope.use(await openTcpProxy(counters[urlName]!));
  });

  const open = async (options: LimiterOptions, of: Counters = counters): Promise<Limiter> =>
    counters.scope.use(await openLimiter(of, limit, options));
  /** The limits of a process whose store is behind the link. */
  const openLinked = (processes: number, storeTimeoutMs = PATIENCE_MS) =>
    open({ processes, storeTimeoutMs }, { ...counters, [urlName]: link.url });
  const take = (limiter: Limiter) => limiter.take('secretKey', 'somebody');

  const outages: [title: string, begin: () => void][] = [
    ['refuses', () => link.cut()],
    ['stops answering', () => link.silence()],
  ];
  for (const [title, begin] of outages) {
    it(`is granted to this process’s share when the store ${title}, less what it granted before; that is logged once`, async () => {
      const limiter = await openLinked(4);
      expect(await takeMany([limiter], 12)).to.equal(12);
      begin();
      expect(await takeMany([limiter], 100)).to.equal(75 - 12);
      expect(await take(limiter)).to.include({ allowed: false, remaining: 0, limit: 300 });
      expect(await takeMany([limiter], 100, 'somebody else')).to.equal(75);
      const warned = () => limiter.logged.filter((message) => message === AWAY);
      await until('the warning', async () => warned().length > 0);
      expect(warned()).to.have.length(1);
    });

    it(`delays no request by more than a moment when the store ${title}, and most not at all`, async () => {
      const limiter = await openLinked(1, 50);
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

    it(`is shared again once the store is back, with what was granted while it ${title}`, async () => {
      const [near, far] = [await openLinked(2), await open({})];
      expect(await takeMany([near], 10)).to.equal(10);
      begin();
      expect(await takeMany([near], 90)).to.equal(90);
      link.mend();
      let granted = 100;
      await until('the store’s return', async () => {
        if ((await take(near)).allowed) granted += 1;
        return near.logged.at(-1) === BACK;
      });
      granted += await takeMany([near, far], 400);
      expect(granted).to.equal(300);
    });
  }

  for (const processes of [1, 2]) {
    it(`is counted once when the store’s answer comes late, which is no outage (${processes} sharing it)`, async () => {
      const answers = Promise.withResolvers<void>();
      const slow = { processes, storeTimeoutMs: PATIENCE_MS, answersAfter: answers.promise };
      const [near, far] = [await open(slow), await open({})];
      let granted = await takeMany([near], 5);
      expect(near.asked).to.deep.equal([10]);
      answers.resolve();
      await until('the store’s return', async () => {
        granted += await takeMany([near], 1);
        return near.logged.length === 2;
      });
      expect(near.logged).to.deep.equal(['store answers late', BACK]);
      granted += await takeMany([far, near], 800);
      expect(granted).to.equal(300);
    });
  }

  it('is not exceeded when the store’s answer comes after all points were granted', async () => {
    const answers = Promise.withResolvers<void>();
    const slow = { storeTimeoutMs: PATIENCE_MS, answersAfter: answers.promise };
    const limiter = await open(slow);
    expect(await takeMany([limiter], 400)).to.equal(300);
    answers.resolve();
    await until('the store’s return', async () => {
      expect(await take(limiter)).to.include({ allowed: false });
      return limiter.logged.length === 2;
    });
    expect(await takeMany([limiter], 400)).to.equal(0);
  });

  it('gets back points that were granted without the store', async () => {
    const limiter = await openLinked(1);
    link.cut();
    for (let tried = 0; tried < 400; tried++) {
      expect(await take(limiter)).to.include({ allowed: true });
      await limiter.giveBack('secretKey', 'somebody');
    }
    expect(await takeMany([limiter], 400)).to.equal(300);
  });

  it('is granted from the first request on when the store was never reachable', async () => {
    link.cut();
    const limiter = await openLinked(3);
    expect(await takeMany([limiter], 200)).to.equal(100);
    expect(limiter.logged).to.have.length(1);
    link.mend();
    await until('the store', async () => {
      await take(limiter);
      return limiter.logged.length === 2;
    });
  });
});
