import { createApiKey as makeApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { changeRoute } from '../http/idempotency.ts';
import { apiKeyView, boundsOf, createApiKeyBody, createdApiKey } from './schemas.ts';

export const createApiKey = changeRoute({
  path: '/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key; the key is shown in this answer only',
  credential: 'develop',
  body: createApiKeyBody,
  answers: { 201: createdApiKey },
  refusals: ['invalid_state'],
  idempotent: true,
  sealed: true,
  async change(tx, caller, { body: { kind, name = null, ...bounds } }) {
    const { row, key } = await makeApiKey(tx, caller, { kind, name, bounds: boundsOf(bounds) });
    return { ...apiKeyView(row), key };
  },
});
