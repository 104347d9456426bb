import { expect } from 'chai';
import { readReceivers } from '../../../api/docs/receivers.ts';
import { newWebhookSecret } from '../../../domain/accounts/token/credentials.ts';
import { signatureHeaders } from '../../../domain/webhooks/signature.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { isRunnable, type Language, type Program, startProgram } from '../../support/programs.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('The webhook receiver of the API reference', () => {
  const stack = useStack();

  for (const { language, title, code } of readReceivers())
    describe(`in ${title}`, () => {
      let tenant: TestTenant;
      let program: Program;
      let origin: string;
      let secret: string;
      let genuine: { id: string; body: string };

      before(async function () {
        if (!isRunnable(language as Language)) this.skip();
        tenant = await stack.newTenant();
        secret = tenant.webhook_secret_test;
        const port = await freePort();
        origin = `http://127.0.0.1:${port}`;
        const options = language === 'php' ? ['-S', `127.0.0.1:${port}`] : [];
        const env = { WEBHOOK_SECRET: secret, PORT: String(port) };
        program = await startProgram(language as Language, code, env, options);
        await until('the receiver', () =>
          rawRequest(origin, { method: 'POST', path: '/', body: '' }).catch(() => undefined),
        );
        await stack.sql`update webhook_endpoints set url = ${`${origin}/webhooks`}
        where tenant_id = ${tenant.tenant_id}`;
        const order = { amount_kobo: 250_000, reference: 'order-1042', email: 'ada@example.com' };
        const { json } = await stack.api.post('/charges', order, { key: tenant.secret_key_test });
        await stack.settle();
        await stack.control.pay(json.reference);
        await stack.settle();
        [genuine] = (await stack.sql`select id, body from events
        where tenant_id = ${tenant.tenant_id}`) as [typeof genuine];
      });
      after(() => program?.[Symbol.asyncDispose]());

      const send = async (body: string, more: Record<string, string>) => {
        const headers = { 'content-type': 'application/json', ...more };
        return (await rawRequest(origin, { method: 'POST', path: '/webhooks', headers, body }))
          .status;
      };
      const sign = (body: string, { at = now(), keys = [secret] } = {}) =>
        signatureHeaders({ eventId: genuine.id, body, timestamp: at }, keys);
      const times = (word: string) => program.printed().split(word).length - 1;

      it('accepts a delivery of the service, and fulfils the order', async () => {
        const [delivery] = await stack.sql`select status from deliveries
        where tenant_id = ${tenant.tenant_id}`;
        expect(delivery).to.deep.equal({ status: 'delivered' });
        await until('the order', async () => times('FULFIL order-1042') === 1);
      });

      it('accepts the same event again, and fulfils nothing twice', async () => {
        expect(await send(genuine.body, sign(genuine.body))).to.equal(200);
        expect(await send(`${genuine.body}x`, sign(genuine.body))).to.equal(400);
        expect(times('FULFIL order-1042')).to.equal(1);
      });

      it('refuses a body with a byte changed, added or cut off', async () => {
        const { body } = genuine;
        const others = [` ${body}`, `${body}\n`, body.slice(0, -1), ''];
        for (let index = 0; index < body.length; index += 37) {
          const other = String.fromCharCode(body.charCodeAt(index) ^ 1);
          others.push(body.slice(0, index) + other + body.slice(index + 1));
        }
        for (const other of others) expect(await send(other, sign(body)), other).to.equal(400);
      });

      it('refuses a delivery replayed later, and one from the future', async () => {
        for (const at of [now() - 310, now() + 310, 0])
          expect(await send(genuine.body, sign(genuine.body, { at })), String(at)).to.equal(400);
        for (const at of [now() - 280, now() + 280])
          expect(await send(genuine.body, sign(genuine.body, { at })), String(at)).to.equal(200);
      });

      it('refuses a time that was changed', async () => {
        const { 'service-signature': header } = sign(genuine.body);
        const moved = header!.replace(/^t=(\d+)/, (_, time) => `t=${Number(time) - 1}`);
        expect(await send(genuine.body, { 'service-signature': moved })).to.equal(400);
      });

      it('refuses the signature of another secret, and malformed headers', async () => {
        const other = sign(genuine.body, { keys: [newWebhookSecret()] });
        expect(await send(genuine.body, other)).to.equal(400);
        expect(await send(genuine.body, {})).to.equal(400);
        for (const header of [
          ...['', 't', 't=', 'v1', 'v1=', ',', '=', `t=${now()}`, `t=${now()},v1=`],
          ...[`t=${now()},v1=zz`, `t=x,v1=${'0'.repeat(64)}`, `t=${now()},v1=${'é'.repeat(64)}`],
        ]) {
          const sent = { 'service-signature': Buffer.from(header).toString('latin1') };
          expect(await send(genuine.body, sent), header).to.equal(400);
        }
      });

      it('accepts both signatures while the secret is rotated', async () => {
        for (const keys of [
          [secret, newWebhookSecret()],
          [newWebhookSecret(), secret],
        ]) {
          expect(await send(genuine.body, sign(genuine.body, { keys }))).to.equal(200);
        }
      });

      it('alerts a person when the amount is not the order’s', async () => {
        const other = JSON.stringify({
          ...JSON.parse(genuine.body),
          id: `${genuine.id.slice(0, -3)}abc`,
          data: { ...JSON.parse(genuine.body).data, amount_kobo: 2_500 },
        });
        expect(await send(other, sign(other))).to.equal(200);
        await until(
          'the alert',
          async () => times('ALERT 2500 kobo were paid for order-1042') === 1,
        );
        expect(times('FULFIL')).to.equal(1);
      });
    });
});
