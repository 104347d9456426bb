import { join } from 'node:path';
import { expect } from 'chai';
import { newWebhookSecret } from '../../../domain/accounts/token/credentials.ts';
import { signatureHeaders } from '../../../domain/webhooks/signature.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { unescaped } from '../../support/html.ts';
import { isRunnable, type Language, type Program, startProgram } from '../../support/programs.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { useShop } from '../clients/given.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('The example shop of the API reference', () => {
  const stack = useStack();
  const client = useShop(stack);

  for (const { language, file } of [
    { language: 'node', file: 'shop.mjs' },
    { language: 'python', file: 'shop.py' },
    { language: 'php', file: 'shop.php' },
    { language: 'go', file: 'shop.go' },
  ] as { language: Language; file: string }[])
    describe(`in ${file}`, () => {
      let tenant: TestTenant;
      let program: Program;
      let origin: string;
      let secret: string;

      before(async function () {
        this.timeout(300_000);
        if (!isRunnable(language)) this.skip();
        tenant = await stack.newTenant();
        secret = tenant.webhook_secret_test;
        const port = await freePort();
        origin = `http://127.0.0.1:${port}`;
        const { text: code, headers } = await rawRequest(stack, { path: `/docs/shops/${file}` });
        expect(headers.get('content-disposition')).to.equal(`attachment; filename=${file}`);
        const page = unescaped((await rawRequest(stack, { path: '/docs/example-shop' })).text);
        expect(page).to.include(code.trimEnd());
        program = await startProgram(
          language,
          code,
          {
            ...{ PAYMENTS_KEY: tenant.secret_key_test, WEBHOOK_SECRET: secret },
            ...{ PORT: String(port), SHOP_URL: origin },
          },
          language === 'php' ? ['-S', `127.0.0.1:${port}`] : [],
          join(client.folder, 'node_modules'),
        );
        await until('the shop', () => rawRequest(origin, { path: '/' }).catch(() => undefined));
      });
      after(() => program?.[Symbol.asyncDispose]());

      const times = (word: string) => program.printed().split(word).length - 1;
      const deliverTo = (path: string) => stack.sql`
        update webhook_endpoints set url = ${`${origin}${path}`}
        where tenant_id = ${tenant.tenant_id}`;

      /** What a visitor does with the button of the page. */
      async function buy() {
        const [, order] = /action=["'](\/orders\/[^"']+)["']/.exec(
          (await rawRequest(origin, { path: '/' })).text,
        )!;
        const click = () => rawRequest(origin, { method: 'POST', path: order!, body: '' });
        return { order: order!, id: order!.split('/').at(-1)!, click };
      }

      async function paidOrder() {
        const { order, id, click } = await buy();
        const { status, headers } = await click();
        expect(status, program.printed()).to.equal(303);
        await stack.settle();
        const [charge] = await stack.sql<{ number: string }>`select number from charges
          where tenant_id = ${tenant.tenant_id} and merchant_reference = ${id}`;
        await stack.control.pay(`SV-${charge!.number}`);
        return { order, id, location: headers.get('location') };
      }

      async function eventOf(id: string) {
        const [event] = await stack.sql<{ id: string; body: string }>`select id, body from events
          where tenant_id = ${tenant.tenant_id}
            and body::jsonb -> 'data' ->> 'merchant_reference' = ${id}`;
        return event!;
      }

      const statusOf = async (order: string) =>
        /Your order is ([\w ]+)\./.exec((await rawRequest(origin, { path: order })).text)?.[1];

      async function send(body: string, more: Record<string, string>) {
        const headers = { 'content-type': 'application/json', ...more };
        const sent = { method: 'POST', path: '/hooks', headers, body };
        return (await rawRequest(origin, sent)).status;
      }
      const sign = (body: string, { at = now(), keys = [secret] } = {}) =>
        signatureHeaders({ eventId: JSON.parse(body).id, body, timestamp: at }, keys);

      it('makes one charge for an order, however often it is sent, and leads the payer to it', async () => {
        const { id, click } = await buy();
        const [first, second] = [await click(), await click()];
        const charges = await stack.sql<Record<string, unknown>>`select * from charges
          where tenant_id = ${tenant.tenant_id} and merchant_reference = ${id}`;
        expect(charges, program.printed()).to.have.length(1);
        expect(charges[0]).to.deep.include({
          amount_kobo: 250_000,
          return_url: `${origin}/orders/${id}`,
        });
        for (const { status, headers } of [first, second])
          expect([status, headers.get('location')]).to.deep.equal([
            303,
            `${stack.origin}/pay/${String(charges[0]!.id).replace('txn_', 'ct_')}`,
          ]);
      });

      it('fulfils an order by its webhook, once, however often it comes', async () => {
        await deliverTo('/hooks');
        const { order, id } = await paidOrder();
        await stack.settle();
        await until('the order', async () => times(`FULFIL ${id}`) === 1);
        const { body } = await eventOf(id);
        expect(await send(body, sign(body))).to.equal(200);
        expect(await statusOf(order)).to.equal('paid');
        expect(times(`FULFIL ${id}`)).to.equal(1);
      });

      it('fulfils an order by a look-up after the return, and not again by a webhook that comes later', async () => {
        await deliverTo('/nowhere');
        const { click, order } = await buy();
        await click();
        expect(await statusOf(order)).to.equal('not paid yet');
        const { order: paid, id } = await paidOrder();
        expect(await statusOf(`${paid}?reference=SV-1&status=succeeded`)).to.equal('paid');
        await stack.settle();
        const { body } = await eventOf(id);
        expect(await send(body, sign(body))).to.equal(200);
        await until('the order', async () => times(`FULFIL ${id}`) === 1);
      });

      it('alerts a person once when the amount is not the order’s', async () => {
        const { id, order, click } = await buy();
        await click();
        const event = {
          ...{ id: 'evt_1', type: 'charge.succeeded' },
          data: { object: 'transaction', merchant_reference: id, amount_kobo: 2_500 },
        };
        const body = JSON.stringify(event);
        for (let again = 0; again < 2; again += 1)
          expect(await send(body, sign(body))).to.equal(200);
        await until('the alert', async () => times(`ALERT 2500 kobo were paid for ${id}`) === 1);
        expect(times(`FULFIL ${id}`)).to.equal(0);
        expect(await statusOf(order)).to.equal('being looked at');
      });

      it('takes what was signed now, by a secret of the endpoint, and nothing else', async () => {
        const body = JSON.stringify({ id: 'evt_2', type: 'charge.failed', data: {} });
        const both = [secret, newWebhookSecret()];
        for (const headers of [
          ...[now() - 280, now() + 280].map((at) => sign(body, { at })),
          ...[both, both.toReversed()].map((keys) => sign(body, { keys })),
        ])
          expect(await send(body, headers), headers['service-signature']).to.equal(200);

        const { 'service-signature': genuine } = sign(body);
        const moved = genuine!.replace(/^t=(\d+)/, (_, time) => `t=${Number(time) - 1}`);
        for (const header of [
          ...['', 't', 't=', 'v1', 'v1=', ',', '=', `t=${now()}`, `t=${now()},v1=`, moved],
          ...[`t=${now()},v1=zz`, `t=x,v1=${'0'.repeat(64)}`, `t=${now()},v1=${'é'.repeat(64)}`],
          ...[now() - 310, now() + 310, 0].map((at) => sign(body, { at })['service-signature']!),
          sign(body, { keys: [newWebhookSecret()] })['service-signature']!,
        ]) {
          const sent = { 'service-signature': Buffer.from(header).toString('latin1') };
          expect(await send(body, sent), header).to.equal(400);
        }
        expect(await send(body, {})).to.equal(400);
      });

      it('refuses a body with a byte changed, added or cut off', async () => {
        const body = JSON.stringify({ id: 'evt_3', type: 'charge.failed', data: { name: 'Adé' } });
        const headers = sign(body);
        const others = [` ${body}`, `${body}\n`, body.slice(0, -1), ''];
        for (let index = 0; index < body.length; index += 5) {
          const other = String.fromCharCode(body.charCodeAt(index) ^ 1);
          others.push(body.slice(0, index) + other + body.slice(index + 1));
        }
        for (const other of others) expect(await send(other, headers), other).to.equal(400);
        expect(await send(body, headers)).to.equal(200);
      });

      it('asks nothing for an address that it does not know', async () => {
        for (const path of ['/orders/none', '/orders', '/nowhere'])
          expect((await rawRequest(origin, { path })).status, path).to.equal(404);
      });
    });
});
