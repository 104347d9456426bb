import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { createHostLookup, type HostLookup } from '../../../config/webhooks/host-lookup.ts';
import {
  createWebhookClient,
  type WebhookClient,
} from '../../../config/webhooks/webhook-client.ts';
import { RARELY_MS, until } from '../../support/until.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';
import { type NameAnswer, type NameServer, startNameServer } from './name-server.ts';

/** What a busy machine adds; a look-up that waits for the silent ones takes 5 s and more. */
const NOISE_MS = 2_000;

describe('Names that merchants choose', () => {
  let answer: NameAnswer;
  let server: NameServer;
  let names: HostLookup;
  beforeEach(async () => {
    server = await startNameServer(() => answer);
    names = createHostLookup(['localhost', '127.0.0.1'], {
      servers: [server.address],
      queryMs: 300,
    });
  });
  afterEach(async () => {
    names[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  const resolve = (name: string) =>
    new Promise<LookupAddress[]>((found, failed) =>
      names.resolve(name, { all: true }, (error, addresses) =>
        error ? failed(error) : found(addresses),
      ),
    );
  const codeOf = (name: string) =>
    resolve(name).then(
      () => 'found',
      (error) => error.code,
    );

  it('are asked for once, however many wait for one, and kept as long as the name server says', async () => {
    answer = { ipv4: '8.8.8.8', ttl: 1 };
    const found = await Promise.all(Array.from({ length: 20 }, () => resolve('shop.example')));
    expect(new Set(found.map((addresses) => JSON.stringify(addresses)))).to.deep.equal(
      new Set([JSON.stringify([{ address: '8.8.8.8', family: 4 }])]),
    );
    await resolve('shop.example');
    expect(server.asked.sort()).to.deep.equal(['A shop.example', 'AAAA shop.example']);
    await until(
      'another question',
      async () => (await resolve('shop.example')) && server.asked.length > 2,
      RARELY_MS,
    );
  });

  it('that do not exist are told from those that nobody knows just now, and neither is asked again at once', async () => {
    for (const [said, code] of [
      ['no such name', 'ENOTFOUND'],
      ['server failure', 'EAI_AGAIN'],
      ['silent', 'EAI_AGAIN'],
    ] as const) {
      answer = said;
      const name = `${said.replaceAll(' ', '-')}.example`;
      expect(await codeOf(name), said).to.equal(code);
      const { length } = server.asked;
      expect(await codeOf(name), said).to.equal(code);
      expect(server.asked, said).to.have.length(length);
    }
  });

  describe('in webhooks', () => {
    let endpoint: Endpoint;
    let client: WebhookClient;
    let lookedUp: string[];
    const { lookup } = dns;
    beforeEach(async () => {
      endpoint = await startEndpoint((response) => response.end());
      lookedUp = [];
      dns.lookup = ((name: string, ...rest: unknown[]) => {
        lookedUp.push(name);
        return (lookup as (...given: unknown[]) => void)(name, ...rest);
      }) as typeof lookup;
      syncBuiltinESMExports();
    });
    afterEach(async () => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
      await client[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    });

    it('are never looked up in the threads that the whole process shares; the operator’s hosts are', async () => {
      client = createWebhookClient(['localhost'], NOISE_MS);
      await client.post('https://shop.invalid/hook', {}, '{}');
      expect(lookedUp).to.deep.equal([]);
      await client.post(`http://localhost:${endpoint.port}/hook`, {}, '{}');
      expect(lookedUp).to.deep.equal(['localhost']);
      expect(endpoint.requests).to.have.length(1);
    });

    it('ten to hosts of a name server that never answers delay no other, and no look-up of localhost', async () => {
      answer = 'silent';
      using patient = createHostLookup(['localhost', '127.0.0.1'], { servers: [server.address] });
      client = createWebhookClient(['localhost', '127.0.0.1'], 10_000, patient.resolve);
      const slowest = async () => {
        let longestMs = 0;
        for (let n = 0; n < 20; n++) {
          const startedMs = performance.now();
          const result = await client.post(`${endpoint.url}/hook`, {}, '{}');
          expect(result.statusCode).to.equal(200);
          await dns.promises.lookup('localhost');
          longestMs = Math.max(longestMs, performance.now() - startedMs);
        }
        return longestMs;
      };
      const aloneMs = await slowest();
      let ended = 0;
      const dead = Array.from({ length: 10 }, async (_, n) => {
        const result = await client.post(`https://shop-${n}.example/hook`, {}, '{}');
        ended++;
        return result;
      });
      await until('ten look-ups', async () => new Set(server.asked).size >= 20, RARELY_MS);
      expect(ended, 'all are in flight').to.equal(0);
      expect(await slowest()).to.be.below(Math.max(aloneMs * 1.5, NOISE_MS));
      for (const result of await Promise.all(dead))
        expect(result.error).to.equal('the host name could not be resolved just now');
      expect(lookedUp).to.deep.equal([]);
    });
  });
});
