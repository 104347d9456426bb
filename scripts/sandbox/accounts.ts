import type { SandboxContext } from './context.ts';
import type { Account, Count, ProviderName } from './records.ts';
import type { Store } from './store.ts';
import { defined } from './wire.ts';

export interface Registration {
  provider: ProviderName;
  /** Every part the provider knows. The secret key alone says which account it is. */
  credentials: Record<string, string>;
  slot?: string | undefined;
  mode?: 'test' | 'live' | undefined;
  notificationUrl?: string | undefined;
  notifiesRefunds?: boolean | undefined;
}

/** Registers an account, or updates what is given of the one with this secret key. */
export function registerAccount(
  { store, providers, now }: SandboxContext,
  registration: Registration,
): Account & { isNew: boolean } {
  const { provider, credentials } = registration;
  const given = defined(registration);
  const known = findAccount(store, provider, credentials.secret_key!);
  if (known) return { ...store.account.change(known, given), isNew: false };
  const account = store.account.add({
    ...{ slot: providers[provider].slot, mode: 'test', secretKey: credentials.secret_key! },
    ...{ notificationUrl: null, notifiesRefunds: false, createdAt: now(), ...given },
  });
  return { ...account, isNew: true };
}

/** The account that holds this secret key at a provider. */
export function findAccount(store: Store, provider: ProviderName, secretKey: string) {
  return store.account.first(`key ${provider} ${secretKey}`);
}

/** The account that owns a document. */
export function accountOf(store: Store, { accountId }: { accountId: number }): Account {
  return store.account.get(accountId)!;
}

/** Every account, or those of one provider, given by adapter name or slot. */
export function listAccounts(store: Store, provider?: string): Account[] {
  return store.account
    .find('all')
    .filter((account) => !provider || account.provider === provider || account.slot === provider)
    .reverse();
}

const zero: Record<Count, number> = {
  ...{ creates: 0, distinct_references: 0, resent_after_accept: 0, verifies: 0, captures: 0 },
  ...{ refunds: 0, notifications: 0 },
};

/** Counts what a provider was asked. */
export function count({ store }: SandboxContext, { provider }: Account, name: Count): void {
  const counts = store.counts.first(provider) ?? store.counts.add({ provider, ...zero });
  store.counts.change(counts, { [name]: counts[name] + 1 });
}

/** Everything a provider was ever asked; the demo's history counts by itself. */
export function countsOf(store: Store, provider: ProviderName): Record<Count, number> {
  const sums = { ...zero };
  for (const counts of store.counts.find(provider))
    for (const name of Object.keys(sums) as Count[]) sums[name] += counts[name];
  return sums;
}
