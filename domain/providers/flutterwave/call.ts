import { callProvider, type ProviderAnswer } from '../http.ts';
import type { Account, CallOptions } from '../provider.ts';

/** Speaks to Flutterwave, with the account's key. */
export interface Line {
  get(path: string, stage: string): Promise<ProviderAnswer>;
  post(path: string, body: object, stage: string): Promise<ProviderAnswer>;
}

/** A line for one question, however many calls it takes: its time-out is that of all of them together. */
export function lineOf({ baseUrl, credentials, clock }: Account, { timeoutMs }: CallOptions): Line {
  const startedMs = clock().getTime();
  const headers = {
    authorization: `Bearer ${credentials.secret_key ?? ''}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const call = (method: 'GET' | 'POST', path: string, stage: string, body?: object) => {
    const usedMs = Math.max(0, clock().getTime() - startedMs); // a clock may be set back
    return callProvider({ method, url: `${baseUrl}${path}`, headers, body, stage, timeoutMs: Math.max(1, timeoutMs - usedMs) });
  };
  return {
    get: (path, stage) => call('GET', path, stage),
    post: (path, body, stage) => call('POST', path, stage, body),
  };
}
