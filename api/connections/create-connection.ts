import type { Context } from '../../config/context.ts';
import {
  type ConnectionDraft,
  draftConnection,
  findConnectionAt,
  slotTaken,
  createConnection as writeConnection,
} from '../../domain/accounts/connection/connections.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { findReplay, withIdempotency } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import type { Caller } from '../middleware/authenticate.ts';
import { checkForm, prove } from './credentials.ts';
import {
  type CreateConnectionBody,
  connection,
  connectionView,
  createConnectionBody,
} from './schemas.ts';

export const createConnection = route({
  method: 'post',
  path: '/connections',
  operationId: 'createConnection',
  summary:
    'Connect an account at a payment provider, once the provider has accepted its credentials',
  credential: 'manage connections',
  body: createConnectionBody,
  answers: { 201: connection },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: create,
});

async function create(call: ApiRequest<CreateConnectionBody>) {
  const { context, body } = call;
  const who = await call.caller();
  // Checked before the remembered answer: a concurrent request with the same key that connects the
  // slot in between is found by its answer.
  const taken = await findConnectionAt(context.db, who, body.provider);
  const before = await findReplay(call);
  if (before) return before;
  const draft = draftOf(context, who, body);
  if (taken) throw slotTaken(taken);
  await prove(context, {
    ...draft,
    credentials_refused_at: null,
    calls_paused: null,
    disabled_at: null,
  });
  return withIdempotency(call, async (tx, caller) => {
    const row = await writeConnection(tx, caller, draft, body.position);
    return { status: 201, body: connectionView(context, row) };
  });
}

/** Throws `validation_failed` for all that is wrong without asking the provider. */
function draftOf(
  { env, vault, clock }: Context,
  who: Caller,
  { provider: slot, credentials }: CreateConnectionBody,
): ConnectionDraft {
  const adapter = env.slots[slot];
  if (adapter === null) throw invalid({ provider: 'has no payment provider behind it here' });
  checkForm(adapter, who.mode, credentials);
  return draftConnection({ vault, now: clock() }, who, { slot, adapter, credentials });
}
