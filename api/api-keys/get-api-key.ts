import { findApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { readRoute } from '../http/route.ts';
import { apiKey, apiKeyView } from './schemas.ts';

export const getApiKey = readRoute({
  path: '/api-keys/:id',
  operationId: 'getApiKey',
  summary: 'Read an API key',
  credential: 'develop',
  answer: apiKey,
  read: async ({ db }, caller, id) => apiKeyView(await findApiKey(db, caller, id)),
});
