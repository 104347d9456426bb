import { listApiKeys as selectApiKeys } from '../../domain/accounts/api-key/api-keys.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { apiKeys, apiKeyView } from './schemas.ts';

export const listApiKeys = listRoute({
  path: '/api-keys',
  operationId: 'listApiKeys',
  summary: 'List the API keys of your mode, revoked ones too, newest first',
  credential: 'develop',
  query: pageQuery,
  answer: apiKeys,
  list: async ({ context: { db } }, caller, { before, limit }) =>
    (await selectApiKeys(db, caller, before, limit)).map(apiKeyView),
});
