import { findApiKey, listApiKeys } from '../../domain/accounts/api-key/api-keys.ts';
import { isId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { listReply, type PageQuery, pageOf, pageQuery } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { input } from '../http/schema.ts';
import { apiKey, apiKeys, apiKeyView } from './schemas.ts';

const LIST = 'api-keys';

export const listOfApiKeys: Route<never, PageQuery> = {
  method: 'get',
  path: '/api-keys',
  summary: 'List the API keys of your mode, revoked ones too, newest first',
  may: 'develop',
  query: input([], pageQuery),
  answers: { 200: apiKeys },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await listApiKeys(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, apiKeyView);
  },
};

export const readApiKey: Route = {
  method: 'get',
  path: '/api-keys/:id',
  summary: 'Read an API key',
  may: 'develop',
  answers: { 200: apiKey },
  async handle({ context, caller, params }) {
    const row = await findApiKey(context.db, await caller(), apiKeyId(params));
    if (!row) throw noSuchApiKey();
    return { status: 200, body: apiKeyView(row) };
  },
};

/** The id in the path. Throws 404 when it cannot be one. */
export function apiKeyId({ id = '' }: Record<string, string>): string {
  if (!isId('key', id)) throw noSuchApiKey();
  return id;
}

export function noSuchApiKey(): Problem {
  return new Problem('not_found', 'There is no API key with this id in this mode.');
}
