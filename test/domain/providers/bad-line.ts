import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import type { Provider } from '../../../domain/providers/provider.ts';
import { closedAddress } from './fixture.ts';
import { errorOf } from './wire.ts';

/** How a provider is opened at an address, and everything it can be asked there. */
export interface Line {
  open: (baseUrl: string) => Provider;
  calls: (there: Provider, timeoutMs: number) => Promise<unknown>[];
}

/** What each call fails with at a server that behaves so. */
export async function served({ open, calls }: Line, behave: RequestListener, timeoutMs = 2_000) {
  const server = createServer(behave);
  await using door = await listen(server, 0, '127.0.0.1');
  const errors = await Promise.all(
    calls(open(`http://127.0.0.1:${door.port}`), timeoutMs).map(errorOf),
  );
  server.closeAllConnections();
  return errors;
}

const behaviours: [what: string, behave: RequestListener, message: RegExp][] = [
  ['never answers', () => {}, /^no answer within 150 ms$/],
  [
    'answers the head and no body',
    (_request, response) => void response.writeHead(200).flushHeaders(),
    /^no answer within 150 ms$/,
  ],
  ['cuts the connection', (request) => void request.destroy(), /./],
  ['breaks off in the body', (_request, response) => breakOff(response), /./],
];

function breakOff(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'content-length': '500' }).write('{"status":');
  setTimeout(() => response.destroy(), 10);
}

/** What holds for every call, in the describe block this is called in. */
export function holdsOnABadLine(line: Line): void {
  for (const [what, behave, message] of behaviours) {
    it(`does not know what happened when the provider ${what}`, async () => {
      for (const error of await served(line, behave, 150)) {
        expect(error.kind).to.equal('unknown');
        expect(error.message).to.match(message);
      }
    });
  }

  it('does not follow a redirect with the secret key', async () => {
    const seen: (string | undefined)[] = [];
    const catching: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    };
    await using elsewhere = await listen(createServer(catching), 0, '127.0.0.1');
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    for (const { kind } of await served(
      line,
      (_request, response) => void response.writeHead(302, { location }).end(),
    )) {
      expect(kind).to.equal('unknown');
    }
    expect(seen).to.deep.equal([]);
  });

  it('knows that nothing happened where nothing listens, or the name does not resolve', async () => {
    for (const baseUrl of [await closedAddress(), 'http://provider.invalid']) {
      const errors = await Promise.all(line.calls(line.open(baseUrl), 2_000).map(errorOf));
      for (const { kind } of errors) expect(kind, baseUrl).to.equal('retryable');
    }
  });
}
