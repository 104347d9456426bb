import { listAccounts } from '../accounts.ts';
import type { Answer, SandboxContext } from '../context.ts';
import type { ProviderName } from '../records.ts';
import { type ControlRoute, ok, providerField, rateField, refuse } from './route.ts';

interface Input {
  provider?: string;
  latency_ms?: number;
  error_rate?: number;
  rate_limit_rate?: number;
  timeout_after_accept_rate?: number;
  drop_notifications?: boolean;
  duplicate_notifications?: boolean;
}

/**
 * States what goes wrong from now on, at one provider or at all. What is left out is off: an empty
 * body heals everything.
 */
export const faults: ControlRoute = {
  method: 'post',
  path: '/faults',
  fields: {
    provider: providerField,
    latency_ms: { type: 'integer', minimum: 0, maximum: 600_000 },
    error_rate: rateField,
    rate_limit_rate: rateField,
    timeout_after_accept_rate: rateField,
    drop_notifications: { type: 'boolean' },
    duplicate_notifications: { type: 'boolean' },
  },
  async handle(context: SandboxContext, input: Input): Promise<Answer> {
    const names = await providersOf(context, input.provider);
    if (names.length === 0)
      return refuse(400, `provider ${input.provider} is no account's slot here`);
    for (const name of names) context.faults.set(name, toFaults(input));
    return ok(
      Object.fromEntries(
        Object.values(context.providers).map(({ name }) => [name, context.faults.of(name)]),
      ),
    );
  },
};

/**
 * An adapter by its name, or those whose accounts stand in a slot: faults strike a provider, not
 * one of its accounts.
 */
async function providersOf(
  context: SandboxContext,
  name: string | undefined,
): Promise<ProviderName[]> {
  const providers = Object.values(context.providers);
  const meant = providers.filter(
    (provider) => !name || provider.name === name || provider.slot === name,
  );
  if (meant.length > 0) return meant.map((provider) => provider.name);
  const accounts = await listAccounts(context.sql, name);
  return [...new Set(accounts.map((account) => account.provider))];
}

function toFaults(input: Input) {
  return {
    latencyMs: input.latency_ms ?? 0,
    errorRate: input.error_rate ?? 0,
    rateLimitRate: input.rate_limit_rate ?? 0,
    timeoutAfterAcceptRate: input.timeout_after_accept_rate ?? 0,
    dropNotifications: input.drop_notifications ?? false,
    duplicateNotifications: input.duplicate_notifications ?? false,
  };
}
