import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './json.ts';

export interface Received {
  headers: IncomingMessage['headers'];
  raw: string;
  body: { event: string; data: Json };
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  events(): string[];
  answerNext(...answers: Array<number | 'never'>): void;
  next(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Array<number | 'never'> = [];
  const server = createServer((request, response) => void receive(request, response));

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
    const answer = answers.shift() ?? 200;
    server.emit('notification');
    if (answer !== 'never') response.writeHead(answer, { location: '/elsewhere' }).end('thank you');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`,
    received,
    events: () => received.map(({ body }) => body.event),
    answerNext: (...next) => void answers.push(...next),
    next: async () => void (await once(server, 'notification')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
