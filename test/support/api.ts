import { expectDocumented } from './documented.ts';

export interface Answer<T = any> {
  status: number;
  headers: Headers;
  text: string;
  json: T;
}

export interface CallOptions {
  key?: string | null;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** Sent unchanged, instead of JSON of `body`. */
  raw?: string | Buffer;
}

export type ApiClient = ReturnType<typeof apiClient>;

/** A merchant's server that calls the API. Every answer is checked against the document. */
export function apiClient(baseUrl: string, secretKey: string) {
  const send = async <T = any>(
    method: string,
    path: string,
    body?: unknown,
    { key = secretKey, idempotencyKey, headers = {}, raw }: CallOptions = {},
  ): Promise<Answer<T>> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const answer = await answerOf(response);
    expectDocumented(method, path, answer);
    return answer;
  };
  return {
    send,
    get: <T = any>(path: string, options?: CallOptions) => send<T>('GET', path, undefined, options),
    post: <T = any>(path: string, body?: unknown, options?: CallOptions) =>
      send<T>('POST', path, body, options),
    patch: <T = any>(path: string, body: unknown, options?: CallOptions) =>
      send<T>('PATCH', path, body, options),
    remove: <T = any>(path: string, options?: CallOptions) =>
      send<T>('DELETE', path, undefined, options),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}
