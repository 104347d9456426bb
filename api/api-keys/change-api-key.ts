import {
  type ApiKeyChanges,
  changeApiKey as writeChanges,
} from '../../domain/accounts/api-key/api-keys.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { apiKeyId, noSuchApiKey } from './read-api-keys.ts';
import {
  type ApiKeyChangesBody,
  apiKey,
  apiKeyChangesBody,
  apiKeyView,
  normalOrigins,
} from './schemas.ts';

export const changeApiKey: Route<ApiKeyChangesBody> = {
  method: 'patch',
  path: '/api-keys/:id',
  summary: 'Rename an API key, or say from which web origins a public key may be used',
  may: 'develop',
  body: apiKeyChangesBody,
  answers: { 200: apiKey },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const id = apiKeyId(params);
    return changeInTx(context, async (tx) => {
      const row = await writeChanges(tx, who, id, changesOf(body));
      if (!row) throw noSuchApiKey();
      return { status: 200, body: apiKeyView(row) };
    });
  },
};

function changesOf({ name, allowed_origins: origins }: ApiKeyChangesBody): ApiKeyChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { allowedOrigins: origins && normalOrigins(origins) }),
  };
}
