import { changeApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { changeRoute } from '../http/idempotency.ts';
import { apiKey, apiKeyView, boundsOf, updateApiKeyBody } from './schemas.ts';

export const updateApiKey = changeRoute({
  method: 'patch',
  path: '/api-keys/:id',
  operationId: 'updateApiKey',
  summary: 'Rename an API key, or say what a public key may be used for, and from where',
  credential: 'develop',
  body: updateApiKeyBody,
  answers: { 200: apiKey },
  refusals: ['invalid_state'],
  async change(tx, caller, { id, body: { name, ...bounds } }) {
    const changes = { ...(name === undefined ? {} : { name }), ...boundsOf(bounds) };
    return apiKeyView(await changeApiKey(tx, caller, id, changes));
  },
});
