import { createHash } from 'node:crypto';
import express from 'express';
import type { Context, StoredConnection } from '../../config/context.ts';
import { isId, newId } from '../../domain/ids.ts';
import { Problem } from '../../domain/problems.ts';
import type { Notification } from '../../domain/providers/provider.ts';

/** Providers send a few kB; a settlement with all its lines may be large. */
const LIMIT = '5mb';

/**
 * `POST /notifications/{connection id}`: a provider calling us. It is stored once per body and answered at once; a repeat rings its row
 * again. An unknown connection and a bad signature get the same answer, and nothing is written for either.
 */
export function receiveNotification(context: Context): express.Router {
  const router = express.Router();
  const raw = express.raw({ limit: LIMIT, type: () => true });
  router.post('/:connection', raw, async (request, response) => {
    const connection = await findConnection(context, request.params.connection!);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const notification = connection && context.providerOf(connection).readNotification(request.headers, body);
    if (!connection || !notification) throw new Problem('unauthorized', 'The signature does not hold.');
    await store(context, connection, notification, body);
    response.locals.tenantId = connection.tenant_id;
    response.status(200).json({ received: true });
  });
  return router;
}

async function findConnection({ db }: Context, id: string): Promise<StoredConnection | undefined> {
  if (!isId('con', id)) return undefined;
  const [row] = await db.query<StoredConnection>(
    'select id, tenant_id, mode, adapter, credentials, sandbox from connections where id = $1',
    [id],
  );
  return row;
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
    `insert into notifications (id, connection_id, body_sha256, body, event, payment_references, status, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, 'received', $7, $7)
     on conflict (connection_id, body_sha256)
       do update set due_at = least(notifications.due_at, excluded.due_at), status = 'received', ring = notifications.ring + 1
     returning id, tries, ring`,
    [
      id,
      connection.id,
      createHash('sha256').update(body).digest('hex'),
      context.vault.seal(body.toString('utf8'), owner),
      isPlain(notification.event) ? notification.event : 'unknown',
      notification.references.filter(isPlain),
      now,
    ],
  );
  context.bell.ring([{ queue: 'notification-process', ...row! }]);
}
