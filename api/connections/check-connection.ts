import { findOwnConnection } from '../../domain/accounts/connection/connections.ts';
import type { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { idOf, route } from '../http/route.ts';
import { askProvider } from './credentials.ts';
import { connectionCheck } from './schemas.ts';

export const checkConnection = route({
  method: 'post',
  path: '/connections/:id/check',
  operationId: 'checkConnection',
  summary:
    'Ask the provider whether it still accepts a connection’s credentials; ' +
    'the answer takes 5 seconds at most',
  credential: 'manage connections',
  answers: { 200: connectionCheck },
  async handle({ context, caller, params }) {
    const row = await findOwnConnection(context.db, await caller(), idOf(params));
    const outcome = await askProvider(context, row);
    const body = {
      object: 'connection_check' as const,
      ok: outcome === 'accepted',
      message: sayOf(outcome),
      checked_at: context.clock().toISOString(),
    };
    return { status: 200, body };
  },
});

function sayOf(outcome: 'accepted' | ProviderError): string {
  if (outcome === 'accepted') return 'The provider accepts the credentials.';
  if (outcome.kind === 'refused')
    return `The provider refuses the credentials: ${outcome.message.replace(/\.$/, '')}.`;
  return 'The provider did not answer, so nothing is known about the credentials. Try again shortly.';
}
