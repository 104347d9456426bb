import type { Context } from '../../config/context.ts';
import type { ConnectionRow } from '../../domain/accounts/connection/connection.ts';
import { sealCredentials } from '../../domain/accounts/connection/connection.ts';
import { changeConnection as writeChanges } from '../../domain/accounts/connection/connections.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';
import { changeInTx } from '../http/idempotency.ts';
import { route } from '../http/route.ts';
import { checkForm, prove } from './credentials.ts';
import { connectionOf } from './get-connection.ts';
import { connection, connectionView, updateConnectionBody } from './schemas.ts';

export const updateConnection = route({
  method: 'patch',
  path: '/connections/:id',
  operationId: 'updateConnection',
  summary:
    'Give a connection new credentials of the same account, disable or enable it, ' +
    'or move it in the order',
  credential: 'manage connections',
  body: updateConnectionBody,
  answers: { 200: connection },
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const current = await connectionOf(context, who, params);
    const { credentials, ...changes } = body;
    const sealed = credentials && { credentials: await proven(context, current, credentials) };
    return changeInTx(context, async (tx) => {
      const row = await writeChanges(tx, who, current.id, { ...changes, ...sealed });
      return { status: 200, body: connectionView(context, row) };
    });
  },
});

/** New credentials of a connection, sealed, once the provider has accepted them. */
async function proven(
  context: Context,
  current: ConnectionRow,
  credentials: Credentials,
): Promise<string> {
  checkForm(current.adapter, current.mode, credentials);
  const sealed = sealCredentials(context.vault, current, credentials);
  await prove(context, { ...current, credentials: sealed });
  return sealed;
}
