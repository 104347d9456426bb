import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../../config/listen.ts';

/** A server that answers every call with a text made while it is sent, as fast as it is read. */
export interface Serving extends AsyncDisposable {
  url: string;
  /** How long each answer got, in characters, until it ended or nobody read on. */
  lengths: Promise<number>[];
}

export async function serve(body: () => Iterable<string | Buffer>, status = 200): Promise<Serving> {
  const lengths: Promise<number>[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    lengths.push(send(response, body()));
  });
  const listening = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${listening.port}`,
    lengths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await listening[Symbol.asyncDispose]();
    },
  };
}

async function send(response: ServerResponse, pieces: Iterable<string | Buffer>): Promise<number> {
  const gone = once(response, 'close');
  let length = 0;
  for (const piece of pieces) {
    if (response.destroyed) return length;
    length += piece.length;
    const drained = response.write(piece) || once(response, 'drain').catch(() => {});
    await Promise.race([drained, gone]);
  }
  response.end();
  return length;
}

export async function closedAddress(): Promise<string> {
  const { port, [Symbol.asyncDispose]: close } = await listen(createServer(), 0, '127.0.0.1');
  await close();
  return `http://127.0.0.1:${port}`;
}
