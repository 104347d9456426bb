import { revokeApiKey as writeRevocation } from '../../domain/accounts/api-key/api-keys.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { noSuchApiKey } from './no-such-api-key.ts';
import { apiKey, apiKeyView } from './schemas.ts';

export const revokeApiKey = route({
  method: 'delete',
  path: '/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key; it stops working with the next request',
  credential: 'develop',
  answers: { 200: apiKey },
  async handle({ context, caller, params }) {
    const who = await caller();
    const id = pathId(params, 'key', noSuchApiKey);
    return changeInTx(context, async (tx) => {
      const row = await writeRevocation(tx, who, id);
      if (!row) throw noSuchApiKey();
      return { status: 200, body: apiKeyView(row) };
    });
  },
});
