import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../config/listen.ts';

export interface Endpoint extends AsyncDisposable {
  url: string;
  port: number;
  requests: string[];
  connections(): number;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export async function startEndpoint(behave: Behaviour): Promise<Endpoint> {
  const requests: string[] = [];
  let opened = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(`${request.method} ${request.url} ${body}`);
    behave(response, request);
  }).on('connection', () => void opened++);
  const listening = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${listening.port}`,
    port: listening.port,
    requests,
    connections: () => opened,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await listening[Symbol.asyncDispose]();
    },
  };
}
