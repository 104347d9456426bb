import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { nothingHeldBack } from '../../support/feed.ts';
import { useStack } from '../../support/stack.ts';
import { addEvent } from '../events/given.ts';
import { runFile, useShop } from './given.ts';

/** Paths, joined by colons: .ci/run brings them. */
const others = (process.env.OTHER_NODES ?? '').split(':').filter(Boolean);

const program = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { ApiError, cursorFile, Payments, signWebhook, webhookListener } from 'payment-collection-client';

const payments = new Payments({ key: process.env.PAYMENTS_KEY });
const order = { amount_kobo: 3_000_000_000, email: 'ada@example.com', reference: process.version };
const { reference } = await payments.charges.create(order);
const listed = [];
for await (const one of payments.transactions.list({ merchant_reference: process.version, limit: 1 }))
  listed.push(one.amount_kobo);
const refused = await payments.charges.get('SV-1').catch((error) => error instanceof ApiError && error.code);
for await (const event of payments.events.follow({ store: cursorFile(process.version) })) {
  const secret = 'whsec_c2VjcmV0';
  const received = [];
  const server = createServer(webhookListener(secret, ({ id }) => received.push(id))).listen(0);
  await once(server, 'listening');
  const body = JSON.stringify(event);
  const headers = signWebhook(body, secret);
  const url = \`http://127.0.0.1:\${server.address().port}\`;
  const { status } = await fetch(url, { method: 'POST', headers, body });
  server.close();
  server.closeAllConnections();
  const required = createRequire(import.meta.url)('payment-collection-client').Payments === Payments;
  const event_is_same = received[0] === event.id;
  console.log(JSON.stringify({ reference, listed, refused, status, event_is_same, required }));
  break;
}
`;

describe('The Node client runs', () => {
  const stack = useStack({ workers: false });
  const shop = useShop(stack);

  for (const node of [process.execPath, ...others]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    it(`on Node ${version}`, async () => {
      await addEvent(stack);
      await nothingHeldBack(stack);
      await writeFile(join(shop.folder, 'program.mjs'), program);
      const env = { ...process.env, PAYMENTS_KEY: stack.tenant.secret_key_test };
      const { stdout } = await runFile(node, ['program.mjs'], { cwd: shop.folder, env });
      const { reference, ...seen } = JSON.parse(stdout);
      expect(reference).to.match(/^SV-\d+$/);
      expect(seen).to.deep.equal({
        listed: [3_000_000_000],
        refused: 'not_found',
        status: 200,
        event_is_same: true,
        required: true,
      });
    });
  }
});
