import type { Context } from '../../config/context.ts';
import {
  type ConnectionRow,
  sealCredentials,
} from '../../domain/accounts/connection/connection.ts';
import {
  findOwnConnection,
  changeConnection as writeChanges,
} from '../../domain/accounts/connection/connections.ts';
import { type AccountProof, proveAccount } from '../../domain/payments/account-proof.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { idOf, route } from '../http/route.ts';
import { checkForm, noAnswer, prove } from './credentials.ts';
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
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const current = await findOwnConnection(context.db, who, idOf(params));
    const { credentials, ...changes } = body;
    const sealed = credentials && { credentials: await proven(context, current, credentials) };
    return context.inTx(async (tx) => {
      const row = await writeChanges(tx, who, current.id, { ...changes, ...sealed });
      return { status: 200, body: connectionView(context, row) };
    });
  },
});

/** Sealed once the provider accepts them for the same account: its payments would be lost. */
async function proven(context: Context, current: ConnectionRow, credentials: Credentials) {
  checkForm(current.adapter, current.mode, credentials);
  const sealed = sealCredentials(context.vault, current, credentials);
  const changed = { ...current, credentials: sealed };
  await prove(context, changed);
  if ((await proofOf(context, changed)) !== 'same') throw otherAccount(current.slot);
  return sealed;
}

async function proofOf(context: Context, changed: ConnectionRow): Promise<AccountProof> {
  const account = context.providerOf(changed, 'send');
  const { verifyMs: timeoutMs, verifyTotalMs: totalMs } = context.timeouts;
  const options = { timeoutMs, totalMs };
  return proveAccount(context.db, changed.id, account, options).catch((error: unknown) => {
    throw error instanceof ProviderError ? noAnswer() : error;
  });
}

function otherAccount(slot: string): Problem {
  return new Problem(
    'invalid_state',
    'These credentials are of another account, or nothing proves that they are of the same one: ' +
      'the provider does not know a payment that was made through this connection. Disable it, ' +
      `then connect the other account as ${slot}: payments of this one are still followed.`,
  );
}
