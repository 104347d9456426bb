import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../config/listen.ts';

/**
 * What came over the wire has no type; whether it has the right shape is what the tests find out.
 */
export type Json = any;

interface Received {
  url: string;
  headers: IncomingMessage['headers'];
  raw: string;
  /** Null where there is none. */
  body: Json;
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export async function openReceiver() {
  const received: Received[] = [];
  const answers: Array<number | 'never'> = [];
  const server = createServer((request, response) => void receive(request, response));

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = Buffer.concat(await request.toArray()).toString();
    const { url = '', headers } = request;
    received.push({ url, headers, raw, body: raw === '' ? null : JSON.parse(raw) });
    const answer = answers.shift() ?? 200;
    server.emit('notification');
    if (answer !== 'never') response.writeHead(answer, { location: '/elsewhere' }).end('thank you');
  }

  const listening = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${listening.port}/notifications`,
    received,
    events: () => received.map(({ body }) => body.event),
    answerNext: (...next: typeof answers) => void answers.push(...next),
    next: async () => void (await once(server, 'notification')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await listening[Symbol.asyncDispose]();
    },
  };
}
