import { changeApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { noSuchApiKey } from './no-such-api-key.ts';
import { apiKey, apiKeyView, boundsOf, updateApiKeyBody } from './schemas.ts';

export const updateApiKey = route({
  method: 'patch',
  path: '/api-keys/:id',
  operationId: 'updateApiKey',
  summary: 'Rename an API key, or say what a public key may be used for, and from where',
  credential: 'develop',
  body: updateApiKeyBody,
  answers: { 200: apiKey },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body: { name, ...bounds } }) {
    const who = await caller();
    const id = pathId(params, 'key', noSuchApiKey);
    const changes = { ...(name === undefined ? {} : { name }), ...boundsOf(bounds) };
    return changeInTx(context, async (tx) => {
      const row = await changeApiKey(tx, who, id, changes);
      if (!row) throw noSuchApiKey();
      return { status: 200, body: apiKeyView(row) };
    });
  },
});
