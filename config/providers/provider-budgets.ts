import type { Budget } from '../../domain/providers/port/budget.ts';
import { providers } from '../../domain/providers/registry.ts';
import type { Mode } from '../../domain/shared/reader.ts';

/** By provider and mode; `sandbox` for connections that call the sandbox. */
export type Budgets = Record<string, Partial<Record<Mode, Budget>>>;

/** The sandbox is ours and serves whatever the machine can. */
const sandbox = { test: { perMinute: 60_000 } };

export const budgets: Budgets = {
  ...Object.fromEntries(
    Object.values(providers).map((provider) => [provider.name, provider.budgets]),
  ),
  sandbox,
};
