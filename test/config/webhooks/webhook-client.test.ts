import type { lookup } from 'node:dns';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createWebhookClient } from '../../../config/webhooks/webhook-client.ts';
import { publicLookup } from '../../../domain/shared/public-hosts.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';

const PATIENT_MS = 10_000;
const TIMEOUT_MS = 300;

describe('Posting a webhook', () => {
  const client = forEachTest(async () => createWebhookClient(['127.0.0.1'], PATIENT_MS));
  const hasty = forEachTest(async () => createWebhookClient(['127.0.0.1'], TIMEOUT_MS));
  let endpoint: Endpoint | undefined;
  afterEach(async () => {
    await endpoint?.[Symbol.asyncDispose]();
    endpoint = undefined;
  });

  async function post(behave: (response: ServerResponse) => void, by = client) {
    endpoint = await startEndpoint(behave);
    const headers = { 'content-type': 'application/json', 'x-test': '1' };
    return by.post(`${endpoint.url}/hooks`, headers, '{"a":1}');
  }
  async function serverThat(behave: (socket: Socket) => void) {
    const server = createServer(behave).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { address: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
  }

  it('sends the bytes and returns status and answer', async () => {
    const result = await post((response) => response.writeHead(201).end('thank you'));
    const answered = { statusCode: 201, error: null, answer: 'thank you', retryAfter: null };
    expect(result).to.deep.include(answered);
    expect(result.durationMs).to.be.within(0, PATIENT_MS);
    expect(endpoint!.requests).to.deep.equal(['POST /hooks {"a":1}']);
  });

  it('returns what Retry-After asks for', async () => {
    const result = await post((response) =>
      response.writeHead(429, { 'retry-after': '120' }).end(),
    );
    expect(result).to.include({ statusCode: 429, retryAfter: '120' });
  });

  it('does not follow redirects', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using elsewhere = await startEndpoint((response) => response.end('caught'));
      const location = elsewhere.url;
      const { statusCode } = await post((response) =>
        response.writeHead(status, { location }).end(),
      );
      expect([statusCode, elsewhere.requests]).to.deep.equal([status, []]);
      await endpoint![Symbol.asyncDispose]();
    }
  });

  it('keeps the connection for the next one', async () => {
    await post((response) => response.end('x'.repeat(2_000)));
    for (let sent = 0; sent < 4; sent++) {
      await pause(20);
      await client.post(`${endpoint!.url}/hooks`, {}, '{}');
    }
    expect(endpoint!.requests).to.have.length(5);
    expect(endpoint!.connections()).to.equal(1);
  });

  it('returns the first 2 kB of an answer, fit for the database', async () => {
    const { answer } = await post((response) => response.end(`a\0b${'x'.repeat(100_000)}`));
    expect(answer)
      .to.have.length(2_048)
      .and.match(/^a\ufffdbx+$/);
  });

  it('reads no more of a huge answer than it needs', async () => {
    await using endless = await startEndpoint((response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const result = await client.post(endless.url, {}, '{}');
    expect(result).to.include({ statusCode: 200, error: null });
    expect(result.durationMs).to.be.below(5_000);
  });

  it('takes the status of an answer that does not end, when it times out', async () => {
    let timer: NodeJS.Timeout | undefined;
    const result = await post((response) => {
      response.writeHead(200);
      timer = setInterval(() => response.write('.'), 20);
    }, hasty);
    clearInterval(timer);
    expect(result).to.include({ statusCode: 200, error: null });
    expect(result.answer).to.match(/^\.+$/);
    expect(result.durationMs).to.be.within(TIMEOUT_MS - 20, TIMEOUT_MS * 3);
  });

  it('takes the status of an answer that breaks off', async () => {
    const result = await post((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    expect(result).to.include({ statusCode: 200, error: null, answer: 'half' });
  });

  it('gives up on a receiver that does not answer in time', async () => {
    const result = await post(() => {}, hasty);
    expect(result).to.include({ statusCode: null, error: 'no answer within 0.3 s', answer: null });
    expect(result.durationMs).to.be.within(TIMEOUT_MS - 20, TIMEOUT_MS * 3);
  });

  it('returns no result when the client itself is closed, before or during a request', async () => {
    const refusal = (promise: Promise<unknown>) =>
      promise.then(String, (error: Error) => error.message);
    const arrived = Promise.withResolvers<void>();
    const waiting = refusal(post(() => arrived.resolve()));
    await arrived.promise;
    await client[Symbol.asyncDispose]();
    const later = refusal(client.post(endpoint!.url, {}, '{}'));
    for (const one of [waiting, later]) expect(await one).to.equal('The service is stopping.');
  });

  it('times out when a receiver sends only part of a status line', async () => {
    using server = await serverThat((socket) => void socket.write('HTTP/1.1 200 '));
    const result = await hasty.post(`http://${server.address}/`, {}, '{}');
    expect(result).to.include({ statusCode: null, error: 'no answer within 0.3 s' });
  });

  it('describes broken connections in plain words', async () => {
    expect((await post((response) => response.destroy())).error).to.equal('the connection was cut');
    const { url } = endpoint!;
    await endpoint![Symbol.asyncDispose]();
    expect((await client.post(url, {}, '{}')).error).to.equal('the connection was refused');
    using notHttp = await serverThat((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    for (const scheme of ['http', 'https']) {
      const result = await client.post(`${scheme}://${notHttp.address}/`, {}, '{}');
      expect(result.statusCode).to.equal(null);
      expect(result.error).to.be.a('string').and.not.equal('');
    }
  });
});

describe('A webhook to an address that is not public', () => {
  /** The name has these addresses, one answer after the other, the last one for ever. */
  function resolver(...answers: string[][]) {
    const asked: string[] = [];
    const resolve = (name: string, _options: object, callback: (...answer: unknown[]) => void) => {
      const addresses = answers[Math.min(asked.push(name), answers.length) - 1]!;
      const familyOf = (address: string) => (address.includes(':') ? 6 : 4);
      callback(
        null,
        addresses.map((address) => ({ address, family: familyOf(address) })),
      );
    };
    return { asked, resolve: resolve as unknown as typeof lookup };
  }

  async function postWith(
    resolve: typeof lookup | undefined,
    url: string,
    allowedHosts: string[] = [],
  ) {
    const client = createWebhookClient(allowedHosts, PATIENT_MS, resolve);
    const result = await client.post(url, {}, '{}');
    await client[Symbol.asyncDispose]();
    return result;
  }

  it('is refused before a name is resolved or anything is sent', async () => {
    await using endpoint = await startEndpoint((response) => response.end());
    const { asked, resolve } = resolver(['127.0.0.1']);
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
      const result = await postWith(resolve, `https://${host}:${endpoint.port}/`);
      const error = 'the address must be reachable on the public internet';
      expect(result).to.include({ statusCode: null, error });
    }
    expect(await postWith(resolve, `http://merchant.example:${endpoint.port}/`)).to.include({
      error: 'the address must begin with https://',
    });
    expect([asked, endpoint.connections()]).to.deep.equal([[], 0]);
  });

  it('is refused at connect time when a name resolves there', async () => {
    await using endpoint = await startEndpoint((response) => response.end());
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const { asked, resolve } = resolver([address]);
      const result = await postWith(resolve, `https://merchant.example:${endpoint.port}/`);
      const error = 'merchant.example resolves to no public address';
      expect(result).to.include({ statusCode: null, error });
      expect(asked).to.deep.equal(['merchant.example']);
    }
    expect(endpoint.connections()).to.equal(0);
  });

  it('is refused when only the second look-up is private: a name is resolved for each connection', async () => {
    await using endpoint = await startEndpoint((response) => response.end());
    const nobody = '3ffe::1'; // of the former 6bone network: a public address without a host
    const { asked, resolve } = resolver([nobody], ['127.0.0.1']);
    await using client = createWebhookClient(['127.0.0.1'], 200, resolve);
    const url = `https://shop.example:${endpoint.port}/`;
    const errors = [await client.post(url, {}, '{}'), await client.post(url, {}, '{}')];
    expect(errors[0]!.error, 'nobody is there').to.be.a('string');
    expect(errors[1]!.error).to.equal('shop.example resolves to no public address');
    expect([asked.length, endpoint.connections()]).to.deep.equal([2, 0]);
  });

  it("is refused for this machine's real name too", async () => {
    expect((await postWith(undefined, 'https://localhost./')).error).to.equal(
      'the address must be reachable on the public internet',
    );
  });

  it('is allowed where the operator allows the host, with or without resolving', async () => {
    await using endpoint = await startEndpoint((response) => response.end('hello'));
    const { resolve } = resolver(['127.0.0.1']);
    const url = `http://merchant.internal:${endpoint.port}/`;
    const result = await postWith(resolve, url, ['merchant.internal']);
    expect(result).to.include({ statusCode: 200, answer: 'hello' });
  });

  it('is not reached by a name that also has a public address', () => {
    const find = publicLookup([], resolver(['127.0.0.1', '8.8.8.8', '10.0.0.1']).resolve);
    const found: unknown[] = [];
    find('merchant.example', { all: true }, (_error, addresses) => found.push(addresses));
    find('merchant.example', {}, (_error, address, family) => found.push([address, family]));
    expect(found).to.deep.equal([[{ address: '8.8.8.8', family: 4 }], ['8.8.8.8', 4]]);
  });

  it('fails with a plain error when a name does not resolve', async () => {
    const nowhere = ((_name: string, _options: object, callback: (error: Error) => void) =>
      callback(
        Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }),
      )) as unknown as typeof lookup;
    expect((await postWith(nowhere, 'https://merchant.example/')).error).to.equal(
      'the host name does not resolve',
    );
  });
});
