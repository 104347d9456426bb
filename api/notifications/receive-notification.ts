import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { createBatcher } from '../../config/batcher.ts';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import {
  findConnections,
  type StoredConnection,
} from '../../domain/accounts/connection/connection.ts';
import { isId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { isTooLate, readBody, refuseUnread } from './read-body.ts';
import { recognise } from './recognise.ts';
import { knownSenders, type Senders } from './senders.ts';

/**
 * `POST /notifications/{connection id}`. Stores a body once and answers at once. An unknown
 * connection, a malformed id and a wrong signature get the same 401, after the same work; nothing
 * is written. Whoever fails often is refused before that. A disabled connection is accepted: its
 * payments may still change.
 */
export function receiveNotification(context: Context): express.Router {
  const router = express.Router();
  const senders = knownSenders(context);
  router.post('/:connection', senders.refuseFailing, refuseUnread, receive(context, senders));
  router.all('/:connection', refuseMethod);
  router.use(refuseUnreadableId);
  return router;
}

const MAX_TOGETHER = 100;
const MAX_WAIT_MS = 250;

function receive(context: Context, senders: Senders): RequestHandler {
  const connections = createBatcher((ids: readonly string[]) => findConnections(context.db, ids), {
    maxBatchSize: MAX_TOGETHER,
    maxWaitMs: MAX_WAIT_MS,
  });
  return async (request, response) => {
    const { locals } = response;
    const connection = await connections.load(idOf(request.params.connection));
    locals.connectionId = connection?.id;
    const body = await readCounted(context, request, connection).catch(async (error) => {
      if (isTooLate(error)) await senders.countFailure(request);
      throw error;
    });
    const notification = recognise(context, connection, { headers: request.headers, body });
    if (!connection || !notification) {
      await senders.countFailure(request);
      throw badSignature(locals, connection ? 'the signature is not valid' : 'no such connection');
    }
    senders.remember(request);
    const arrival = { connection, notification, body, sha256: sha256Of(body) };
    const taken = await context.storeNotification(arrival);
    locals.tenantId = connection.tenant_id;
    locals.outcome = taken.repeated ? 'repeated' : 'received';
    locals.notificationId = taken.id;
    if (!taken.repeated) locals.created = taken.id;
    response.status(200).json({ received: true });
  };
}

/** Counts it for an unknown connection too: the answer does not show whether it exists. */
async function readCounted(
  { unverifiedBodies }: Context,
  request: Request,
  connection: StoredConnection | undefined,
): Promise<Buffer> {
  using held = unverifiedBodies.hold({
    network: networkOf(request.ip ?? ''),
    receiver: idOf(request.params.connection),
  });
  return await readBody(request, { keep: connection !== undefined, held });
}

/** A malformed id becomes one that nobody has, so that it costs the same work. */
function idOf(param: unknown): string {
  const id = String(param);
  return isId('con', id) ? id : `con_${'0'.repeat(26)}`;
}

const MESSAGE = 'The signature is not valid.';

/** The reason is for our log only. */
function badSignature(locals: Record<string, unknown>, reason: string): Problem {
  locals.reason = reason;
  return new Problem('unauthorized', MESSAGE);
}

const refuseMethod: RequestHandler = (_request, _response, next) =>
  next(
    new Problem('method_not_allowed', 'This method is not possible here. Possible: POST.', {
      headers: { Allow: 'POST' },
    }),
  );

/** An id that cannot be decoded fails in the router itself. */
const refuseUnreadableId: ErrorRequestHandler = (error, request, response, next) =>
  next(
    error instanceof URIError && request.method === 'POST'
      ? badSignature(response.locals, 'no such connection')
      : error,
  );
