import type { Context } from '../../config/context.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import { credentialProblems } from '../../domain/providers/port/credentials.ts';
import type { ProviderDefinition } from '../../domain/providers/port/definition.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { providerNamed } from '../../domain/providers/registry.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';
import { invalid, Problem } from '../../domain/shared/problems.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { query } from '../http/schema.ts';
import { checkerOf } from '../http/validation.ts';
import { credentialsSchema } from './credentials-form.ts';

const checkers = new Map<string, (value: unknown) => void>();

function checkerFor(provider: ProviderDefinition): (value: unknown) => void {
  const known = checkers.get(provider.name);
  if (known) return known;
  const checker = checkerOf(query({ credentials: credentialsSchema(provider) }));
  checkers.set(provider.name, checker);
  return checker;
}

/** Throws `validation_failed` naming each that is unknown, missing, or of the other mode. */
export function checkForm(adapter: string, mode: Mode, credentials: Credentials): void {
  const provider = providerNamed(adapter);
  checkerFor(provider)({ credentials });
  const problems = Object.entries(credentialProblems(provider, credentials, mode));
  if (problems.length > 0)
    throw invalid(
      Object.fromEntries(problems.map(([name, problem]) => [`credentials.${name}`, problem])),
    );
}

/** Throws unless the provider accepts the credentials. Call it outside of any transaction. */
export async function prove(context: Context, connection: StoredConnection): Promise<void> {
  const outcome = await askProvider(context, connection);
  if (outcome === 'accepted') return;
  if (outcome.kind === 'refused')
    throw invalid({ credentials: `are refused: ${outcome.message.replace(/\.$/, '')}` });
  throw noAnswer();
}

export function noAnswer(): Problem {
  return new Problem(
    'unavailable',
    'The provider did not answer; nothing was saved. Try again shortly.',
    { headers: { 'Retry-After': '5' } },
  );
}

/** Returns the provider's refusal, or the error where it did not answer. */
export async function askProvider(context: Context, connection: StoredConnection) {
  const provider = context.providerOf(connection, 'send');
  try {
    await provider.checkCredentials({ timeoutMs: context.timeouts.credentialsMs });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, message } = error;
    if (kind !== 'refused')
      context.log.info('credentials could not be checked', {
        connection: connection.id,
        kind,
        error: message,
      });
    return error;
  }
}
