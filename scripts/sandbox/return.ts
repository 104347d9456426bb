import { accountOf } from './accounts.ts';
import type { Provider, SandboxContext } from './context.ts';
import { findLastTry } from './payments.ts';
import type { Payment } from './records.ts';

const TIMEOUT_MS = 5_000;

/** The merchant's address, its own query and fragment untouched, with the provider's parameters. */
export function returnUrl(provider: Provider, page: Payment, last: Payment | undefined) {
  if (!page.callbackUrl) return undefined;
  const [address = '', ...fragment] = page.callbackUrl.split('#');
  const query = new URLSearchParams(provider.returnQuery(page, last)).toString();
  return [address + (address.includes('?') ? '&' : '?') + query, ...fragment].join('#');
}

/** The customer goes back to the merchant, once what they did is in the database. */
export function sendBack(context: SandboxContext, page: Payment): void {
  const { store, providers, visits } = context;
  const provider = providers[accountOf(store, page).provider];
  const url = returnUrl(provider, page, findLastTry(store, page));
  if (!url) return;
  const visit = visitMerchant(context, url)
    .catch((error) => context.log('return failed', { error: String(error) }))
    .finally(() => visits.delete(visit));
  visits.add(visit);
}

async function visitMerchant({ store, closing }: SandboxContext, url: string): Promise<void> {
  await store.saved();
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await fetch(url, { redirect: 'manual', signal });
  await answer.body?.cancel();
}
