import { randomUUID } from 'node:crypto';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { openRedis } from './redis.ts';

/**
 * Tells the other processes whose provider answers again. Without Redis, or while it is away, each
 * finds out by itself.
 */
export interface Recoveries extends AsyncDisposable {
  tell(connectionId: string): void;
  /** Of the other processes; the listener must not throw. */
  onTold(listener: (connectionId: string) => void): void;
}

const TOLD_WITHIN_MS = 1_000;

/** While Redis is unreachable it reconnects by itself. */
export async function openRecoveries({
  redisUrl,
  prefix = 'pcs',
  log,
}: {
  redisUrl: string | null;
  prefix?: string;
  log: Logger;
}): Promise<Recoveries> {
  if (redisUrl === null) return { tell() {}, onTold() {}, async [Symbol.asyncDispose]() {} };
  const self = randomUUID();
  const channel = `${prefix}:recoveries`;
  const quiet = (error: Error) => log.debug('recoveries', { error: error.message });
  const hearing = openRedis(redisUrl, { maxRetriesPerRequest: null });
  const telling = openRedis(redisUrl, {
    ...{ lazyConnect: true, maxRetriesPerRequest: 1 },
    ...{ connectTimeout: TOLD_WITHIN_MS, commandTimeout: TOLD_WITHIN_MS },
  });
  for (const client of [hearing, telling]) client.on('error', quiet);
  await withDeadline(hearing.subscribe(channel), TOLD_WITHIN_MS).catch(quiet);
  return {
    tell: (id) => void telling.publish(channel, `${self} ${id}`).catch(quiet),
    onTold(listener) {
      hearing.on('message', (_, message: string) => {
        const [teller, id] = message.split(' ');
        if (teller !== self && id) listener(id);
      });
    },
    async [Symbol.asyncDispose]() {
      hearing.disconnect();
      telling.disconnect();
    },
  };
}
