import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from './api.ts';

export interface RawRequest {
  method?: string;
  /** Sent unchanged, percent signs included. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends what `fetch` cannot: another Host, a malformed path, a repeated header. */
export async function rawRequest(
  to: string | { baseUrl: string },
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Answer> {
  const { hostname, port } = new URL(typeof to === 'string' ? to : to.baseUrl);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = httpRequest({
    hostname,
    port,
    method,
    path,
    headers: { ...length, ...headers },
    agent: false,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const received = await text(response);
  const answered = new Headers(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  const isJson = answered.get('content-type')?.includes('json') && received !== '';
  return {
    status: response.statusCode!,
    headers: answered,
    text: received,
    json: isJson ? JSON.parse(received) : undefined,
  };
}
