import { createServer } from 'node:http';
import { listen } from '../../config/listen.ts';
import type { Mailbox } from './mailbox.ts';

export interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
  received_at: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The number of newest webhooks listed: a local stack may run for days. */
const MOST_LISTED = 20_000;

/**
 * The merchant's side: answers 200 to everything; `GET /received` lists what arrived, `/mail` shows
 * the mails.
 */
export async function startReceiver(port: number, mailbox?: Mailbox) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET' && request.url === '/received')
        return response.end(JSON.stringify({ data: received }));
      const page = request.method === 'GET' && mailbox && mailPage(mailbox, request.url!);
      if (page) return response.setHeader('content-type', 'text/html').end(page);
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ headers: request.headers, body, received_at: new Date().toISOString() });
      if (received.length > MOST_LISTED) received.shift();
      return response.end('{"received":true}');
    });
  });
  const listening = await listen(server, port, '127.0.0.1');
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, received };
}

const mailPage = (mailbox: Mailbox, path: string): string | undefined =>
  path.startsWith('/mail') ? mailbox.page(path.slice('/mail'.length)) : undefined;
