import { finished } from 'node:stream';
import express, { type RequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import { isId, newId } from '../../domain/ids.ts';
import { Problem } from '../../domain/problems.ts';
import type { Notification } from '../../domain/providers/provider.ts';
import { sha256Of } from '../../domain/sha256.ts';
import { findConnection, type StoredConnection } from '../../domain/tenant/connection.ts';

/** Providers send a few kB; a settlement with all its lines may be large. */
const LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * `POST /notifications/{connection id}`: a provider calling us. It is stored once per body and answered at once; a repeat rings its row
 * again. An unknown connection and a bad signature get the same answer, and nothing is written for either.
 */
export function receiveNotification(context: Context): express.Router {
  const router = express.Router();
  // A few kB of gzip can hold megabytes: providers send plain JSON.
  const raw = express.raw({ limit: LIMIT_BYTES, inflate: false, type: () => true });
  router.post('/:connection', refuseLong, knownConnection(context), raw, async (request, response) => {
    const connection: StoredConnection = response.locals.connection;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const notification = context.providerOf(connection).readNotification(request.headers, body);
    if (!notification) throw badSignature();
    await store(context, connection, notification, body);
    response.locals.tenantId = connection.tenant_id;
    response.status(200).json({ received: true });
  });
  return router;
}

/** A body that says it is too long is refused before anybody is asked whose it is, so that the answer tells nothing. */
const refuseLong: RequestHandler = (request, _response, next) => {
  if (Number(request.headers['content-length'] ?? 0) <= LIMIT_BYTES) return next();
  // Whoever still writes would not read the answer: the body is let run out, unkept.
  finished(request.resume(), () => next(new Problem('payload_too_large', 'The body is larger than 5 MB.')));
};

/** A stranger's body is not kept, nor unpacked. */
function knownConnection(context: Context): RequestHandler {
  return async (request, response, next) => {
    const id = String(request.params.connection);
    response.locals.connection = isId('con', id) ? await findConnection(context.db, id) : undefined;
    if (!response.locals.connection) throw badSignature();
    next();
  };
}

function badSignature(): Problem {
  return new Problem('unauthorized', 'The signature does not hold.');
}

/** What providers name things with. Anything else names nothing of ours, and Postgres might not take it. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]{1,100}$/.test(name);
}

async function store(context: Context, connection: StoredConnection, notification: Notification, body: Buffer): Promise<void> {
  const now = context.clock();
  const id = newId('ntf', now);
  const owner = { table: 'notifications', row: connection.id, tenant: connection.tenant_id, mode: connection.mode };
  const [row] = await context.db.query<{ id: string; tries: number; ring: number }>(
    `insert into notifications (id, connection_id, body_sha256, body, event, payment_references, status, due_at, created_at, about,
       payment_ids)
     values ($1, $2, $3, $4, $5, $6, 'received', $7, $7, $8, $9)
     on conflict (connection_id, body_sha256)
       do update set due_at = least(notifications.due_at, excluded.due_at), status = 'received', ring = notifications.ring + 1
     returning id, tries, ring`,
    [
      id,
      connection.id,
      sha256Of(body),
      context.vault.seal(body.toString('utf8'), owner),
      isPlain(notification.event) ? notification.event : 'unknown',
      notification.references.filter(isPlain),
      now,
      notification.about,
      notification.paymentIds.filter(isPlain),
    ],
  );
  context.bell.ring([{ queue: 'notification-process', ...row! }]);
}
