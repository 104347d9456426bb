import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../config/listen.ts';
import type { Stack } from './stack.ts';

/**
 * How a provider answers: as it should; with a gateway's error; never, after it did what was
 * requested; with this answer.
 */
export type Behaviour =
  | 'working'
  | 'failing'
  | 'silent'
  | { status: number; headers?: Record<string, string>; body: object };

/**
 * A proxy between one connection and the sandbox's Paystack, with faults of its own. The sandbox's
 * faults would affect every connection.
 */
export interface FaultyProvider extends AsyncDisposable {
  behaviour: Behaviour;
  requests: string[];
}

const ofJson = { 'content-type': 'application/json' };

export async function faultyProvider(stack: Stack, slot: string, faulty: FaultyProvider) {
  const unanswered = new Set<ServerResponse>();
  Object.assign(faulty, { behaviour: 'working', requests: [] });
  const server = createServer((request, response) => {
    faulty.requests.push(`${request.method} ${request.url}`);
    void answer(request, response).catch(() => response.destroy());
  });
  const { port, [Symbol.asyncDispose]: close } = await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  stack.context.env.baseUrls.paystack = { test: url, live: url };
  await stack.sql`update connections set sandbox = false where slot = ${slot}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { behaviour } = faulty;
    if (behaviour === 'failing')
      return void response.writeHead(502).end('<html>Bad gateway</html>');
    if (typeof behaviour === 'object') {
      const { status, headers, body } = behaviour;
      return void response.writeHead(status, { ...ofJson, ...headers }).end(JSON.stringify(body));
    }
    const { method = 'GET', url } = request;
    const headers = { ...ofJson, authorization: request.headers.authorization ?? '' };
    const body = method === 'POST' ? { body: await text(request) } : {};
    const sent = { method, headers, ...body };
    const answered = await fetch(`${stack.sandbox.url}/paystack${url}`, sent);
    const bytes = await answered.text();
    if (behaviour === 'silent') return void unanswered.add(response);
    response.writeHead(answered.status, ofJson).end(bytes);
  }

  return Object.assign(faulty, {
    async [Symbol.asyncDispose]() {
      for (const response of unanswered) response.destroy();
      server.closeAllConnections();
      await close();
    },
  });
}

export const limiting = (retryAfterS?: number): Behaviour => ({
  status: 429,
  headers: retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) },
  body: { status: false, message: 'Rate limit exceeded!', code: 'rate_limited' },
});
