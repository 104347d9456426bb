import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { GENERATOR_VERSION, generators } from '../../api/docs/generators.ts';
import { listen } from '../../config/listen.ts';
import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import { paidCharge } from '../support/charges.ts';
import { dayInLagos } from '../support/clock.ts';
import { openApi } from '../support/openapi.ts';
import { useStack } from '../support/stack.ts';
import { fetchGenerator, languages } from './languages.ts';
import { command, orSkipped, writeDocument } from './tools.ts';

/** Every type of event, with fields that a later version may add. */
const events = eventTypes.map((type) => {
  const { example } = openApi['x-webhooks'][type]!.post.requestBody!.content['application/json']!;
  const { data, ...envelope } = example as { data: object };
  return { ...envelope, data: { ...data, added_later: [1] }, added_later: { one: 1 } };
});

describe('Clients of openapi-generator, with the options of /docs', () => {
  const stack = useStack();
  let folder: string;
  let jar: string | undefined;
  let feed: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
    jar = await orSkipped('The generator', () => fetchGenerator(folder, GENERATOR_VERSION));
    const page = { data: events, next_cursor: 'b', tenant_id: stack.tenant.tenant_id };
    const server = createServer((_request, response) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page)),
    );
    feed = await listen(server, 0, '127.0.0.1');
  });
  after(async () => {
    await feed?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  for (const [id, { language, name, options }] of Object.entries(generators))
    it(`in ${language} compile, and do what a shop does`, async function () {
      if (jar === undefined) this.skip();
      const { fetch, build, run } = languages[id as keyof typeof generators];
      const client = join(folder, id);
      const document = await writeDocument(folder, stack.baseUrl);
      const input = ['-g', name, '-i', document, '-o', client, ...options];
      await command(folder, 'java', ['-jar', jar, 'generate', ...input]);
      const fetched = await orSkipped(language, () => fetch(client).then(() => true));
      if (!fetched) this.skip();
      await build(client);
      const paid = await paidCharge(stack, { email: 'paid@example.com' });
      const printed = await run(client, {
        ...{ API_URL: stack.baseUrl, API_KEY: stack.tenant.secret_key_test },
        ...{ FEED_URL: `http://127.0.0.1:${feed.port}`, PAID: paid.reference },
        ...{ EMAIL: `${id}@example.com`, DAY: dayInLagos(stack.clock()) },
      });
      const told = events.map(({ type, data }: any) => `${type} ${data.id}`);
      expect(printed.trim().split('\n')).to.deep.equal(told);
    });
});
