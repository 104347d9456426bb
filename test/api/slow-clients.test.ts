import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createApiServer } from '../../api/server.ts';
import { type Listening, listen } from '../../config/listen.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('A client that holds a connection', () => {
  const stack = useStack({ workers: false });

  const limits = {
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 50,
    keepAliveTimeout: 300,
    timeout: 5_000,
    maxConnections: 3,
  };
  const start = () => listen(createApiServer(stack.context, undefined, limits), 0, '127.0.0.1');
  const open = ({ port }: Listening): Socket => connect(port, '127.0.0.1').on('error', () => {});
  const expectRefused = async (socket: Socket, status: string, message: RegExp) => {
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head!.split('\r\n')[0]).to.equal(`HTTP/1.1 ${status}`);
    expect(head).to.match(/^Request-Id: req_/m);
    const { error } = JSON.parse(body!);
    expect(error.code).to.equal('validation_failed');
    expect(error.message).to.match(message);
  };

  it('is refused when it speaks no HTTP', async () => {
    await using server = await start();
    const socket = open(server);
    socket.end('GET /v1/charges\r\nHost\r\n\r\n');
    await expectRefused(socket, '400 Bad Request', /HTTP/);
  });

  it('is refused when its headers do not arrive in time', async () => {
    await using server = await start();
    const socket = open(server);
    socket.write('GET /v1/charges HTTP/1.1\r\nHost: localhost\r\n');
    await expectRefused(socket, '408 Request Timeout', /did not arrive in time/);
  });

  it('is refused when its body does not arrive in time, however steadily it trickles', async () => {
    await using server = await start();
    const socket = open(server);
    socket.write(
      'POST /notifications/con_x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n',
    );
    const trickle = setInterval(() => socket.write('a'), 50);
    await expectRefused(socket, '408 Request Timeout', /did not arrive in time/);
    clearInterval(trickle);
  });

  it('is let go when it asks nothing more', async () => {
    await using server = await start();
    const socket = open(server);
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).to.match(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('is closed at once where too many are open; the others are served', async () => {
    await using server = await start();
    const held = [open(server), open(server), open(server)];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    expect(await text(open(server))).to.equal('');
    held[0]!.destroy();
    const origin = `http://127.0.0.1:${server.port}`;
    const isServed = () =>
      rawRequest(origin, { path: '/healthz' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until('a free connection', isServed);
    for (const socket of held) socket.destroy();
  });
});
