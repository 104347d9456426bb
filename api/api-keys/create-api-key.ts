import { createApiKey as makeApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import {
  apiKeyView,
  boundsOf,
  type CreateApiKeyBody,
  createApiKeyBody,
  createdApiKey,
} from './schemas.ts';

export const createApiKey = route({
  method: 'post',
  path: '/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key; the key is shown in this answer only',
  credential: 'develop',
  body: createApiKeyBody,
  answers: { 201: createdApiKey },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: create,
});

function create(call: ApiRequest<CreateApiKeyBody>) {
  const { kind, name = null, ...bounds } = call.body;
  const wanted = { kind, name, bounds: boundsOf(bounds) };
  return withIdempotency(
    call,
    async (tx, caller) => {
      const { row, key } = await makeApiKey(tx, caller, wanted);
      return { status: 201, body: { ...apiKeyView(row), key } };
    },
    { sealed: true },
  );
}
