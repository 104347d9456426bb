import type { Account, CallOptions } from '../port/provider.ts';
import { callProvider, deadlineOf, type ProviderAnswer } from './http.ts';
import { callForList, type ListAnswer, type Wanted } from './list-answer.ts';

export interface Client {
  account: Account;
  get(path: string): Promise<ProviderAnswer>;
  post(path: string, body: object): Promise<ProviderAnswer>;
}

export interface ListClient extends Client {
  list(path: string, wanted: Wanted): Promise<ListAnswer>;
}

export function headersWith(authorization: string): Record<string, string> {
  return { authorization, 'content-type': 'application/json', accept: 'application/json' };
}

export function secretKeyClient(account: Account) {
  const headers = headersWith(`Bearer ${account.credentials.secret_key ?? ''}`);
  return (options: CallOptions, stage: string): ListClient => {
    const deadline = deadlineOf(options);
    const to = (path: string) => ({
      ...{ ...deadline, stage, headers, url: `${account.baseUrl}${path}` },
    });
    return {
      account,
      get: (path) => callProvider({ ...to(path), method: 'GET' }),
      post: (path, body) => callProvider({ ...to(path), method: 'POST', body }),
      list: (path, wanted) => callForList(to(path), wanted),
    };
  };
}
