import {
  type ApiKeyChanges,
  changeApiKey as writeChanges,
} from '../../domain/accounts/api-key/api-keys.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { noSuchApiKey } from './no-such-api-key.ts';
import {
  apiKey,
  apiKeyView,
  normalOrigins,
  type UpdateApiKeyBody,
  updateApiKeyBody,
} from './schemas.ts';

export const updateApiKey = route({
  method: 'patch',
  path: '/api-keys/:id',
  operationId: 'updateApiKey',
  summary: 'Rename an API key, or say from which web origins a public key may be used',
  credential: 'develop',
  body: updateApiKeyBody,
  answers: { 200: apiKey },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const id = pathId(params, 'key', noSuchApiKey);
    return changeInTx(context, async (tx) => {
      const row = await writeChanges(tx, who, id, changesOf(body));
      if (!row) throw noSuchApiKey();
      return { status: 200, body: apiKeyView(row) };
    });
  },
});

function changesOf({ name, allowed_origins: origins }: UpdateApiKeyBody): ApiKeyChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { allowedOrigins: origins && normalOrigins(origins) }),
  };
}
