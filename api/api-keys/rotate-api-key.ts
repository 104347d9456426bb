import { rotateApiKey as rotate } from '../../domain/accounts/api-key/api-keys.ts';
import { changeRoute } from '../http/idempotency.ts';
import { apiKeyView, createdApiKey, rotateApiKeyBody } from './schemas.ts';

export const rotateApiKey = changeRoute({
  path: '/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  summary:
    'Make the successor of an API key, shown in this answer only; ' +
    'the old key works beside it for as long as you say',
  credential: 'develop',
  body: rotateApiKeyBody,
  answers: { 201: createdApiKey },
  refusals: ['invalid_state'],
  idempotent: true,
  sealed: true,
  async change(tx, caller, { id, body: { overlap_hours = 24 } }) {
    const { row, key } = await rotate(tx, caller, id, overlap_hours);
    return { ...apiKeyView(row), key };
  },
});
