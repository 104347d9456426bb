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
});
