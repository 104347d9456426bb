import { findApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { noSuchApiKey } from './no-such-api-key.ts';
import { apiKey, apiKeyView } from './schemas.ts';

export const getApiKey = route({
  method: 'get',
  path: '/api-keys/:id',
  operationId: 'getApiKey',
  summary: 'Read an API key',
  credential: 'develop',
  answers: { 200: apiKey },
  async handle({ context, caller, params }) {
    const row = await findApiKey(context.db, await caller(), pathId(params, 'key', noSuchApiKey));
    if (!row) throw noSuchApiKey();
    return { status: 200, body: apiKeyView(row) };
  },
});
