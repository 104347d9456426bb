import { callProvider, type ProviderAnswer, type ProviderRequest } from '../http.ts';
import type { Account } from '../provider.ts';

export type PaystackRequest = Pick<ProviderRequest, 'method' | 'body' | 'timeoutMs' | 'stage'>;

/** Calls Paystack as one account. */
export type PaystackCall = (request: PaystackRequest, path: string) => Promise<ProviderAnswer>;

export function callerOf(account: Account, secretKey: string): PaystackCall {
  return (request, path) =>
    callProvider({
      ...request,
      url: `${account.baseUrl}${path}`,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
    });
}
