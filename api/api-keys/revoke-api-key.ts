import { revokeApiKey as writeRevocation } from '../../domain/accounts/api-key/api-keys.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { apiKeyId, noSuchApiKey } from './read-api-keys.ts';
import { apiKey, apiKeyView } from './schemas.ts';

export const revokeApiKey: Route = {
  method: 'delete',
  path: '/api-keys/:id',
  summary: 'Revoke an API key; it stops working with the next request',
  may: 'develop',
  answers: { 200: apiKey },
  async handle({ context, caller, params }) {
    const who = await caller();
    const id = apiKeyId(params);
    return changeInTx(context, async (tx) => {
      const row = await writeRevocation(tx, who, id);
      if (!row) throw noSuchApiKey();
      return { status: 200, body: apiKeyView(row) };
    });
  },
};
