import { revokeApiKey as revoke } from '../../domain/accounts/api-key/api-keys.ts';
import { changeRoute } from '../http/idempotency.ts';
import { apiKey, apiKeyView } from './schemas.ts';

export const revokeApiKey = changeRoute({
  method: 'delete',
  path: '/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key; it stops working with the next request',
  credential: 'develop',
  answers: { 200: apiKey },
  change: async (tx, caller, { id }) => apiKeyView(await revoke(tx, caller, id)),
});
