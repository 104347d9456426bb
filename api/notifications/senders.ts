import type { Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import { limited } from '../middleware/limit.ts';

export interface Senders {
  /** Refuses before anything is read. */
  refuseFailing: RequestHandler;
  countFailure(request: Request): Promise<void>;
  /** A sender that signed rightly is never refused, whatever else comes from its network. */
  remember(request: Request): void;
}

/** More than the providers' addresses for the connections that are paid through. */
const MAX_KNOWN = 20_000;

export function knownSenders({ limits }: Pick<Context, 'limits'>): Senders {
  const known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  return {
    refuseFailing(request, response, next) {
      const { network, sender } = namesOf(request);
      if (known.has(sender)) return next();
      const standing =
        limits.spent('badNotification', sender) ?? limits.spent('badNotificationNetwork', network);
      if (!standing) return next();
      // The body is not read: the connection ends with the answer.
      response.set('Connection', 'close');
      next(limited(standing));
    },
    async countFailure(request) {
      const { network, sender } = namesOf(request);
      await Promise.all([
        limits.take('badNotification', sender),
        limits.take('badNotificationNetwork', network),
      ]);
    },
    remember: (request) => void known.set(namesOf(request).sender, true),
  };
}

function namesOf({ ip = '', params }: Request): { network: string; sender: string } {
  const network = networkOf(ip);
  return { network, sender: `${params.connection} ${network}` };
}
