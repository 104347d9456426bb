import { flutterwave } from './flutterwave/provider.ts';
import { monnify } from './monnify/provider.ts';
import { paystack } from './paystack/provider.ts';
import type { ProviderDefinition } from './port/definition.ts';

/** A new provider is a folder and a line here. */
export const providers: Record<string, ProviderDefinition> = { paystack, flutterwave, monnify };

export function providerNamed(name: string): ProviderDefinition {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider) throw new Error(`This version has no provider named ${name}.`);
  return provider;
}

export function connectionTasks(): { adapter: string; task: ConnectionTask }[] {
  return Object.values(providers).flatMap(({ name, capabilities }) => {
    const { disputes, settlements, paymentLists, refundLists } = capabilities;
    const can = {
      disputes: disputes === 'api',
      settlements: settlements !== 'none',
      audit: paymentLists !== null,
      payments: paymentLists !== null,
      refunds: refundLists === 'of_account',
      books: true,
    };
    return taskNames.filter((task) => can[task]).map((task) => ({ adapter: name, task }));
  });
}

const taskNames = ['disputes', 'settlements', 'audit', 'payments', 'refunds', 'books'] as const;
type ConnectionTask = (typeof taskNames)[number];
