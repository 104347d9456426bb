import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openPoster } from '../../../scripts/sandbox/post.ts';

async function outcomeOf(answer: RequestListener): Promise<number | string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const poster = openPoster(1, 100);
  const { port } = server.address() as AddressInfo;
  try {
    return await poster.post(`http://127.0.0.1:${port}/notify?a=b`, { 'x-a': 'b' }, '{}');
  } finally {
    await poster.destroy();
    server.closeAllConnections();
    server.close();
  }
}

describe('sandbox: posting a notification', () => {
  it('sends path, headers and body, and returns the status', async () => {
    const outcome = await outcomeOf(async (request, response) => {
      const body = (await request.toArray()).join('');
      const isRight = request.url === '/notify?a=b' && request.headers['x-a'] === 'b';
      response.writeHead(isRight && body === '{}' ? 204 : 400).end();
    });
    expect(outcome).to.equal(204);
  });

  it('gives up an answer that begins too late', async () => {
    expect(await outcomeOf(() => {})).to.match(/timeout/i);
  });

  it('gives up an answer that ends too late', async () => {
    const outcome = await outcomeOf((_request, response) => {
      response.writeHead(200).write('a');
    });
    expect(outcome).to.match(/timeout/i);
  });

  it('reads no more of a long answer than it has to', async () => {
    const outcome = await outcomeOf((_request, response) => {
      response.writeHead(200).write('a'.repeat(100_000));
    });
    expect(outcome).to.equal(200);
  });

  it('says why there is no answer', async () => {
    expect(await outcomeOf((request) => request.socket.destroy())).to.match(/closed/);
    expect(await openPoster(1).post('http://127.0.0.1:1/', {}, '{}')).to.match(/ECONNREFUSED/);
  });
});
