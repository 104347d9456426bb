import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { type Listening, listen } from '../../../config/listen.ts';
import { createWebhookClient } from '../../../config/webhooks/webhook-client.ts';
import { MINUTE } from '../../support/clock.ts';
import { useStack } from '../../support/stack.ts';
import { useListener } from './fixture.ts';

const NAME = 'shop.example';
/** Of the former 6bone network: a public address without a host. */
const PUBLIC = '3ffe::1';

describe('A webhook to a name that resolves to a private address', () => {
  const stack = useStack();
  const listener = useListener(stack);
  let inside: Listening;
  let reached: number;
  let asked: string[];
  before(async () => {
    const server = createServer().on('connection', () => void reached++);
    inside = await listen(server, 0, '127.0.0.1');
  });
  after(() => inside[Symbol.asyncDispose]());
  beforeEach(() => {
    [reached, asked] = [0, []];
  });

  /** The name has these addresses, one answer after the other, the last one for ever. */
  const resolvesTo = (...answers: string[][]) => {
    const resolve = (
      name: string,
      options: { all?: boolean },
      callback: (error: null, found: any, family?: number) => void,
    ) => {
      const found = answers[Math.min(asked.push(name), answers.length) - 1]!;
      const addresses = found.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    };
    stack.context.webhooks = createWebhookClient(
      ['127.0.0.1'],
      200,
      resolve as unknown as typeof lookup,
    );
  };
  const sendTo = async (host: string) => {
    // The API refuses such a URL, so it is written into the row: rows may be older than the rules.
    const url = `https://${host}:${inside.port}/hook`;
    await stack.sql`update webhook_endpoints set url = ${url} where id = ${listener.endpointId}`;
    await listener.publishEvents();
    await stack.settle();
    return (await listener.deliveries()).at(-1)!;
  };

  it('is refused at connect time when only the second look-up is private: nothing is sent', async () => {
    resolvesTo([PUBLIC], ['127.0.0.1']);
    const first = await sendTo(NAME);
    expect(first.last_error, 'nobody is there').to.be.a('string');
    await stack.pass(2 * MINUTE);
    const [delivery] = await listener.deliveries();
    expect(delivery!.tries.map((made: any) => made.error).at(-1)).to.equal(
      `${NAME} resolves to no public address`,
    );
    expect(asked, 'resolved once for each connection').to.deep.equal([NAME, NAME]);
    expect(reached).to.equal(0);
  });

  it('never reaches a private address that is among public ones', async () => {
    resolvesTo(['127.0.0.1', PUBLIC, '::ffff:127.0.0.1', '::1']);
    for (let sent = 0; sent < 3; sent++) expect((await sendTo(NAME)).last_error).to.be.a('string');
    expect(reached).to.equal(0);
  });

  // Which addresses are private: test/domain/webhooks/endpoint/address.test.ts.
  it('is refused when it resolves to nothing else', async () => {
    for (const address of ['10.1.2.3', '::ffff:127.0.0.1', 'fe80::1%lo', '2130706433', '']) {
      resolvesTo([address]);
      const delivery = await sendTo(NAME);
      expect(delivery).to.include({ status: 'pending', try_count: 1, last_status_code: null });
      expect(delivery.last_error).to.equal(`${NAME} resolves to no public address`);
      expect(reached, address).to.equal(0);
    }
  });

  it('is refused when the URL holds a private address, in any spelling, without resolving a name', async () => {
    resolvesTo([PUBLIC]);
    for (const host of ['127.1.1.1', '2130706434', '0x7f000002', '[::1]', 'localhost']) {
      expect((await sendTo(host)).last_error, host).to.equal(
        'the address must be reachable on the public internet',
      );
    }
    expect([asked, reached]).to.deep.equal([[], 0]);
  });

  it('is refused when it redirects there', async () => {
    resolvesTo([PUBLIC]);
    listener.answers(307, { location: `http://127.0.0.1:${inside.port}/` });
    await listener.publishEvents();
    await stack.settle();
    expect(await listener.delivery()).to.include({ status: 'pending', last_status_code: 307 });
    expect(reached).to.equal(0);
  });
});
