import { FormData } from 'undici';
import type { Account, CallOptions } from '../port/provider.ts';
import { callProvider, deadlineOf, type ProviderAnswer } from './http.ts';
import { callForList, type ListAnswer, type Wanted } from './list-answer.ts';
import { type UploadedFile, upload } from './upload.ts';

export interface Client {
  account: Account;
  get(path: string): Promise<ProviderAnswer>;
  post(path: string, body: object): Promise<ProviderAnswer>;
}

export interface ListClient extends Client {
  put(path: string, body: object): Promise<ProviderAnswer>;
  /** As a form with one file. */
  postFile(path: string, field: string, file: UploadedFile): Promise<ProviderAnswer>;
  /** To an address that the provider named. */
  upload(url: unknown, file: UploadedFile): Promise<void>;
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
      put: (path, body) => callProvider({ ...to(path), method: 'PUT', body }),
      postFile(path, field, { name, type, bytes }) {
        const form = new FormData();
        form.set(field, new Blob([new Uint8Array(bytes)], { type }), name);
        const { 'content-type': _, ...rest } = headers;
        return callProvider({ ...to(path), headers: rest, method: 'POST', body: form });
      },
      upload: (url, file) => upload(account.baseUrl, url, file, { ...deadline, stage }),
      list: (path, wanted) => callForList(to(path), wanted),
    };
  };
}
