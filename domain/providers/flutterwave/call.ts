import { callProvider, type ProviderAnswer } from '../http.ts';
import type { Account, CallOptions } from '../provider.ts';

/** Speaks to Flutterwave, with the account's key. */
export interface Line {
  get(path: string, stage: string): Promise<ProviderAnswer>;
  post(path: string, body: object, stage: string): Promise<ProviderAnswer>;
}

/** A line for one question, however many calls it takes: its time-out is that of all of them together. */
export function lineOf({ baseUrl, credentials }: Account, { timeoutMs }: CallOptions): Line {
  const endsAtMs = performance.now() + timeoutMs;
  const headers = {
    authorization: `Bearer ${credentials.secret_key ?? ''}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const call = (method: 'GET' | 'POST', path: string, stage: string, body?: object) =>
    callProvider({
      method,
      url: `${baseUrl}${path}`,
      headers,
      body,
      stage,
      timeoutMs: Math.max(1, Math.ceil(endsAtMs - performance.now())),
    });
  return {
    get: (path, stage) => call('GET', path, stage),
    post: (path, body, stage) => call('POST', path, stage, body),
  };
}
