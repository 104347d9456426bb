import type { Static, TSchema } from 'typebox';
import {
  claimKey,
  type RememberedKey,
  recall,
  remember,
} from '../../domain/accounts/idempotency/remembered.ts';
import type { Tx } from '../../domain/shared/tx.ts';
import { type Caller, scopeOf } from '../middleware/authenticate.ts';
import {
  type ApiRequest,
  type Described,
  type IdempotencyHeader,
  idOf,
  type Reply,
  type Route,
  route,
} from './route.ts';

type ChangeRoute<Body extends TSchema, Answer extends TSchema> = Described &
  Pick<Route, 'idempotent'> & {
    method?: 'post' | 'patch' | 'delete';
    body?: Body;
    answers: Record<number, Answer>;
    /** The answer shows a secret. */
    sealed?: boolean;
    change: (
      tx: Tx,
      caller: Caller,
      call: ApiRequest<Static<Body>> & { id: string },
    ) => Promise<Static<Answer> & object>;
  };

/** `id` is the path's parameter. The trace of what is created begins with the request. */
export function changeRoute<Body extends TSchema, Answer extends TSchema>({
  method = 'post',
  sealed = false,
  change,
  ...described
}: ChangeRoute<Body, Answer>): Route {
  const status = Number(Object.keys(described.answers)[0]);
  const creates = method === 'post' && !described.path.includes(':');
  return route({
    ...described,
    method,
    handle: (call) =>
      withIdempotency(
        call,
        async (tx, caller) => {
          const body = await change(tx, caller, { ...call, id: idOf(call.params) });
          const { id: created } = body as { id?: string };
          return { status, body, ...(creates && created ? { created } : {}) };
        },
        { sealed },
      ),
  });
}

/**
 * Stores the answer under the Idempotency-Key in the work's own transaction. A used key replays it
 * byte for byte; of two requests at once the second waits for it. A refusal uses no key up.
 * `sealed`: the answer shows a secret, so it is encrypted, and replayed for a day only.
 */
export async function withIdempotency<Body extends object>(
  { context, credential, idempotency, route, caller: identify }: ApiRequest,
  work: (tx: Tx, caller: Caller) => Promise<Reply<Body>>,
  { sealed = false } = {},
): Promise<Reply<Body>> {
  const caller = await identify();
  return context.inTx(async (tx) => {
    if (!idempotency) return work(tx, caller);
    const key = keyOf(caller, scopeOf(credential!, route), idempotency);
    while (!(await claimKey(tx, key, sealed))) {
      const remembered = await recall(tx, key);
      if (remembered) return replayed(remembered);
    }
    const reply = await work(tx, caller);
    await remember(tx, key, { status: reply.status, answer: JSON.stringify(reply.body) }, sealed);
    return reply;
  });
}

/**
 * Undefined for a new key. For endpoints that call a provider first: a repeated request must not
 * call again, nor fail because the provider does not answer now.
 */
export async function findReplay({
  context,
  credential,
  idempotency,
  route,
  caller,
}: ApiRequest): Promise<Reply<never> | undefined> {
  if (!idempotency) return undefined;
  const key = keyOf(await caller(), scopeOf(credential!, route), idempotency);
  const remembered = await recall(
    { sql: context.db, vault: context.vault, now: context.clock() },
    key,
  );
  return remembered && replayed(remembered);
}

function keyOf(
  { tenantId, mode }: Caller,
  scope: string,
  idempotency: IdempotencyHeader,
): RememberedKey {
  return { tenantId, mode, scope, ...idempotency };
}

export function replayed({ status, answer }: { status: number; answer: string }): Reply<never> {
  return { status, body: answer, headers: { 'Idempotent-Replayed': 'true' } };
}
