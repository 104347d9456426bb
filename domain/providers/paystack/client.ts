import { callProvider, type ProviderAnswer, type ProviderRequest } from '../http.ts';
import type { Account } from '../provider.ts';

type PaystackRequest = Omit<ProviderRequest, 'url' | 'headers'>;

/** Calls Paystack as one account. */
export type Client = (request: PaystackRequest, path: string) => Promise<ProviderAnswer>;

export function clientOf({ baseUrl, credentials }: Account): Client {
  const headers = {
    authorization: `Bearer ${credentials.secret_key ?? ''}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  return (request, path) => callProvider({ ...request, url: `${baseUrl}${path}`, headers });
}
