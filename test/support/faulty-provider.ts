import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../config/listen.ts';
import type { Stack } from './stack.ts';

/**
 * How a provider answers: as it should; with an error of its own; not at all, after it did what was
 * asked; with words of its own.
 */
export type Mood =
  | 'well'
  | 'broken'
  | 'mute'
  | { status: number; headers?: Record<string, string>; body: object };

/**
 * A way to the sandbox's Paystack for one connection alone, whose mood is its own: the sandbox's
 * faults strike every connection.
 */
export interface FaultyProvider extends AsyncDisposable {
  mood: Mood;
  /** What was asked, as `POST /transaction/initialize`. */
  asked: string[];
}

/** Puts a provider's moods before the stack's connection in a slot. */
export async function faultyProvider(stack: Stack, slot: string): Promise<FaultyProvider> {
  const asked: string[] = [];
  const held = new Set<ServerResponse>();
  const faulty = { mood: 'well' as Mood, asked };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    void answer(request, response).catch(() => response.destroy());
  });
  const { port, [Symbol.asyncDispose]: close } = await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  stack.context.env.baseUrls.paystack = { test: url, live: url };
  await stack.context.db.query('update connections set sandbox = false where slot = $1', [slot]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mood } = faulty;
    if (mood === 'broken') return void response.writeHead(502).end('<html>Bad gateway</html>');
    if (typeof mood === 'object') {
      return void response
        .writeHead(mood.status, { 'content-type': 'application/json', ...mood.headers })
        .end(JSON.stringify(mood.body));
    }
    const { method = 'GET', url, headers } = request;
    const body = method === 'POST' ? { body: await text(request) } : {};
    const forwarded = {
      authorization: headers.authorization ?? '',
      'content-type': 'application/json',
    };
    const answered = await fetch(`${stack.sandbox.url}/paystack${url}`, {
      method,
      headers: forwarded,
      ...body,
    });
    const bytes = await answered.text();
    if (mood === 'mute') return void held.add(response);
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(bytes);
  }

  return Object.assign(faulty, {
    async [Symbol.asyncDispose]() {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      await close();
    },
  });
}

/** Paystack's plain no. */
export const refusing: Mood = {
  status: 400,
  body: { status: false, message: 'Integration has been deactivated' },
};

/** Paystack asks for fewer calls. */
export const limiting = (retryAfterS?: number): Mood => ({
  status: 429,
  headers: retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) },
  body: { status: false, message: 'Rate limit exceeded!', code: 'rate_limited' },
});
