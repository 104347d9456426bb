import { createApiKey as makeApiKey } from '../../domain/tenant/api-keys.ts';
import { once } from '../once.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import {
  apiKeyView,
  type NewApiKeyBody,
  newApiKey,
  newApiKeyBody,
  normalOrigins,
} from './schemas.ts';

export const createApiKey: Route<NewApiKeyBody> = {
  method: 'post',
  path: '/api-keys',
  summary: 'Create an API key; the key is shown in this answer only',
  may: 'develop',
  body: newApiKeyBody,
  answers: { 201: newApiKey },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: create,
};

function create(call: ApiRequest<NewApiKeyBody>): Promise<Reply> {
  const { kind, name = null, allowed_origins: origins } = call.body;
  const wanted = { kind, name, allowedOrigins: origins ? normalOrigins(origins) : null };
  return once(
    call,
    async (phase, caller) => {
      const { row, key } = await makeApiKey(phase, caller, wanted);
      return { status: 201, body: { ...apiKeyView(row), key } };
    },
    { sealed: true },
  );
}
