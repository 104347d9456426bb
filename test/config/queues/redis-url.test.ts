import { expect } from 'chai';
import winston from 'winston';
import { openLimitStore } from '../../../config/limits/limit-store.ts';
import { readRedisUrl } from '../../../config/queues/redis-url.ts';
import { SetupError } from '../../../config/setup-error.ts';

describe('REDIS_URL', () => {
  it('names one server', () => {
    for (const url of ['redis://localhost', 'rediss://:secret@redis.example:6380/2?family=6'])
      expect(readRedisUrl(url)).to.deep.equal({ kind: 'server' });
  });

  it('names the master of a Sentinel group', () => {
    const url =
      'rediss+sentinel://ada:p%40ss@s1,s2:26380,[::1]:26381/mymaster/3?sentinel_password=s';
    expect(readRedisUrl(url)).to.deep.equal({
      kind: 'sentinel',
      nodes: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 26_380 },
        { host: '::1', port: 26_381 },
      ],
      credentials: { username: 'ada', password: 'p@ss' },
      isEncrypted: true,
      master: 'mymaster',
      db: 3,
      sentinelCredentials: { sentinelPassword: 's' },
    });
  });

  it('names a Cluster', () => {
    expect(readRedisUrl('redis+cluster://:secret@r1:7001,r2')).to.deep.equal({
      kind: 'cluster',
      nodes: [
        { host: 'r1', port: 7_001 },
        { host: 'r2', port: 6_379 },
      ],
      credentials: { password: 'secret' },
      isEncrypted: false,
    });
  });

  const wrong: [url: string, sentence: RegExp][] = [
    ['redis://[', /it is no address of Redis\.$/],
    ['redis+sentinel://s1,s2', /it names no master, as in redis\+sentinel:/],
    ['redis+sentinel://s1,,s2/mymaster', /a host in it is no host or host:port\.$/],
    ['redis+sentinel://s1:99999/mymaster', /a host in it is no host or host:port\.$/],
    ['redis+sentinel://s1/mymaster/first', /the database is no number\.$/],
    ['redis+sentinel://s1/mymaster?role=slave', /it has a parameter that is not known\.$/],
    ['redis+sentinel://a:%zz@s1/mymaster', /"%" in it must be written as %25\.$/],
    ['redis+cluster://r1,r2/1', /a Cluster has no database but 0\.$/],
    ['redis+cluster://r1?family=6', /the address of a Cluster has no parameters\.$/],
  ];
  for (const [url, sentence] of wrong) {
    it(`is refused in one sentence: ${url}`, () => {
      expect(() => readRedisUrl(url)).to.throw(SetupError, sentence);
    });
  }

  it('may name sentinels that nobody reaches: what needs them fails, and nothing waits', async () => {
    const redisUrl = 'redis+sentinel://127.0.0.1:1/mymaster';
    const log = winston.createLogger({ silent: true });
    await using store = await openLimitStore({ databaseUrl: '', redisUrl, log });
    expect(await store.add('a', 1, 1_000).catch((error: Error) => error)).to.be.instanceOf(Error);
  });
});
