import { listApiKeys as selectApiKeys } from '../../domain/accounts/api-key/api-keys.ts';
import { listReply, pageOf, pageQuery } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { apiKeys, apiKeyView } from './schemas.ts';

const LIST = 'api-keys';

export const listApiKeys = route({
  method: 'get',
  path: '/api-keys',
  operationId: 'listApiKeys',
  summary: 'List the API keys of your mode, revoked ones too, newest first',
  credential: 'develop',
  query: pageQuery,
  answers: { 200: apiKeys },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await selectApiKeys(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, apiKeyView);
  },
});
