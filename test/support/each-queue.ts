import { testRedisUrl } from './suite.ts';

/** Describes a promise of both queue stores: on Postgres always, on Redis where there is one. */
export function describeOnEachQueue(title: string, body: (queues: 'postgres' | 'redis') => void) {
  describe(`${title} (queues in Postgres)`, () => body('postgres'));
  describe(`${title} (queues on Redis)`, () => {
    before(function () {
      if (!testRedisUrl()) this.skip();
    });
    body('redis');
  });
}
