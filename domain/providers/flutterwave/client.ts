import { callProvider, deadlineOf, type ProviderAnswer } from '../http.ts';
import { callForList, type ListAnswer } from '../http-stream.ts';
import type { Wanted } from '../json-walk.ts';
import type { Account, CallOptions } from '../provider.ts';

/** Calls Flutterwave with the account's key. */
export interface Client {
  get(path: string, stage: string): Promise<ProviderAnswer>;
  post(path: string, body: object, stage: string): Promise<ProviderAnswer>;
  /** Gets a list of any length. */
  list(path: string, wanted: Wanted, stage: string): Promise<ListAnswer>;
}

/** A client for one question, however many calls it takes: the time-outs are begun here. */
export function clientOf({ baseUrl, credentials }: Account, options: CallOptions): Client {
  const deadline = deadlineOf(options);
  const headers = {
    authorization: `Bearer ${credentials.secret_key ?? ''}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const request = (path: string, stage: string) => ({
    ...deadline,
    url: `${baseUrl}${path}`,
    headers,
    stage,
  });
  return {
    get: (path, stage) => callProvider({ ...request(path, stage), method: 'GET' }),
    post: (path, body, stage) => callProvider({ ...request(path, stage), method: 'POST', body }),
    list: (path, wanted, stage) => callForList({ ...request(path, stage), wanted }),
  };
}
