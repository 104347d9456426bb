import Type, { type Static, type TObject } from 'typebox';
import { countsOf, listAccounts } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import { noFaults } from '../faults.ts';
import type { ProviderName } from '../records.ts';
import { flag, ok, operation, provider, refuse } from './operation.ts';

const rate = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const delay = Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }));

const fields = {
  provider: Type.Optional(provider),
  latency_ms: delay,
  error_rate: rate,
  rate_limit_rate: rate,
  timeout_after_accept_rate: rate,
  drop_notifications: flag,
  duplicate_notifications: flag,
  delay_notifications_ms: delay,
};

/** States what goes wrong from now on, at one provider or at all; what is left out is off. */
export const faults = operation('post', '/faults', fields, (context, input) => {
  const names = providersOf(context, input.provider);
  if (names.length === 0)
    return refuse(400, `provider ${input.provider} is no account's slot here`);
  for (const name of names) context.faults[name] = { ...noFaults, ...toFaults(input) };
  return ofEach(context, (name) => context.faults[name]);
});

/** An adapter by its name or slot, or those whose accounts stand in a slot. */
function providersOf({ providers, store }: SandboxContext, wanted: string | undefined) {
  const meant = Object.values(providers).filter(
    ({ name, slot }) => !wanted || name === wanted || slot === wanted,
  );
  if (meant.length > 0) return meant.map(({ name }) => name);
  return [...new Set(listAccounts(store, wanted).map((account) => account.provider))];
}

/** The same names in our spelling. */
function toFaults({ provider: _provider, ...input }: Static<TObject<typeof fields>>) {
  const spelled = (name: string) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [spelled(name), value]));
}

/** Ends every access token before its time, as a provider does that changes its keys. */
export const expireTokens = operation('post', '/expire-tokens', {}, ({ store, now }) => {
  const alive = store.token.find('all').filter(({ expiresAt }) => expiresAt > now());
  for (const token of alive) store.token.change(token, { expiresAt: now() });
  return ok({ expired: alive.length });
});

/** Per provider, everything that was ever asked of it. */
export const stats = operation('get', '/stats', {}, (context) =>
  ofEach(context, (name) => countsOf(context.store, name)),
);

function ofEach({ providers }: SandboxContext, show: (name: ProviderName) => object) {
  return ok(Object.fromEntries(Object.values(providers).map(({ name }) => [name, show(name)])));
}
