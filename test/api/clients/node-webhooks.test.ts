import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import { newWebhookSecret } from '../../../domain/accounts/token/credentials.ts';
import { signatureHeaders } from '../../../domain/webhooks/signature.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { type Shop, serve, useShop } from './given.ts';

const [secret, older, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
const event = {
  id: 'evt_01',
  type: 'charge.succeeded',
  data: { amount_kobo: 250_000, name: 'Adé' },
};
const body = JSON.stringify(event, null, 1);
const seconds = () => Math.floor(Date.now() / 1000);
const sign = ({ of = body, at = seconds(), keys = [secret] } = {}) =>
  signatureHeaders({ eventId: event.id, body: of, timestamp: at }, keys);

describe('The Node client', () => {
  const stack = useStack({ workers: false });
  const shop = useShop(stack);

  type Receiver = (onEvent: (event: object) => void) => RequestListener;
  const quiet = { onError: () => {} };
  const receivers: Record<string, Receiver> = {
    'a plain handler': (onEvent) => shop.module.webhookListener([secret, older], onEvent, quiet),
    Express: (onEvent) =>
      express().post('/hooks', shop.module.webhookListener([secret, older], onEvent, quiet)),
    'Express, behind express.raw': (onEvent) =>
      express()
        .use(express.raw({ type: 'application/json', limit: '2mb' }))
        .post('/hooks', shop.module.webhookListener([secret, older], onEvent, quiet)),
    Fastify: (onEvent) => asFastifyListener(shop.module, onEvent),
    'a route handler of Next': (onEvent) =>
      asListener(shop.module.webhookRoute([secret, older], onEvent, quiet)),
  };

  for (const [name, receiver] of Object.entries(receivers))
    describe(`receives webhooks in ${name}`, () => {
      const post = async (sent: string, headers: object, onEvent = (_event: object) => {}) => {
        await using server = await serve(receiver(onEvent));
        return await rawRequest(server.url, {
          method: 'POST',
          path: '/hooks',
          headers: { 'content-type': 'application/json', ...headers },
          body: sent,
        });
      };

      it('answers 200 once the event was handled, signed with either secret', async () => {
        for (const keys of [[secret], [older], [foreign, secret]]) {
          const handled: object[] = [];
          const { status } = await post(body, sign({ keys }), (event) => handled.push(event));
          expect([status, handled]).to.deep.equal([200, [event]]);
        }
      });

      it('answers 400 to what is no webhook, and handles nothing', async () => {
        const never = () => expect.fail('it was handled');
        const wrong: [why: string, sent: string, headers: object][] = [
          ['no signature', body, {}],
          ['another secret', body, sign({ keys: [foreign] })],
          ['another body', body.replace('250000', '1'), sign()],
          ['an old signature', body, sign({ at: seconds() - 400 })],
          ['one of the future', body, sign({ at: seconds() + 400 })],
          ['too much', 'x'.repeat(1_100_000), sign()],
        ];
        for (const [why, sent, headers] of wrong)
          expect((await post(sent, headers, never)).status, why).to.equal(400);
      });

      it('answers 500 where the handler fails, so that the event comes again', async () => {
        const { status } = await post(body, sign(), () => {
          throw new Error('the database is away');
        });
        expect(status).to.equal(500);
      });
    });

  it('says that a body was parsed already, and how to leave it as it came', () => {
    const verify = (given: unknown) => shop.module.verifyWebhook(given, sign(), secret);
    expect(() => verify(event)).to.throw(TypeError, 'express.raw()');
    expect(() => shop.module.verifyWebhook(body, sign(), undefined)).to.throw(TypeError, 'whsec_');
  });

  it('takes headers as each framework has them, and another tolerance', () => {
    const { verifyWebhook } = shop.module;
    const old = sign({ at: seconds() - 400 });
    expect(verifyWebhook(body, new Headers(sign()), secret)).to.deep.equal(event);
    expect(verifyWebhook(Buffer.from(body), old, secret, { toleranceSeconds: 600 })).to.deep.equal(
      event,
    );
    const codeOf = (headers: object) => {
      try {
        verifyWebhook(body, headers, secret);
      } catch (error: any) {
        return error.code;
      }
    };
    expect(codeOf(old)).to.equal('signature_too_old');
    expect(codeOf({})).to.equal('signature_missing');
    for (const odd of ['', 't=,v1=', 't=1', 'v1=00', `t=x,v1=${'0'.repeat(64)}`, ',=,=,'])
      expect(codeOf({ 'service-signature': odd }), odd).to.equal('signature_wrong');
  });

  it('signs as the service does', () => {
    const now = new Date(1_767_225_600_000);
    const signed = shop.module.signWebhook(body, [secret, older], { now });
    const expected = sign({ at: now.getTime() / 1000, keys: [secret, older] });
    expect(signed).to.deep.equal({ 'content-type': 'application/json', ...expected });
  });
});

/** As the README says it. */
function asFastifyListener(
  { SignatureError, verifyWebhook }: Shop['module'],
  onEvent: (event: object) => void,
): RequestListener {
  const app = fastify({ bodyLimit: 2 ** 21 });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, sent, done) =>
    done(null, sent),
  );
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof SignatureError ? 400 : 500).send(),
  );
  app.post('/hooks', async (request) => {
    onEvent(verifyWebhook(request.body, request.headers, [secret, older]));
    return '';
  });
  return (request, response) => void app.ready().then(() => app.routing(request, response));
}

/** As Next calls a route handler. */
function asListener(route: (request: Request, context: object) => Promise<Response>) {
  const listener: RequestListener = async (incoming, response) => {
    const headers = Object.entries(incoming.headersDistinct).map(([name, values]) => [
      name,
      values!.join(),
    ]);
    const request = new Request('http://localhost/hooks', {
      method: 'POST',
      headers: headers as [string, string][],
      body: await buffer(incoming),
    });
    const answer = await route(request, { params: {} });
    response.writeHead(answer.status).end(await answer.text());
  };
  return listener;
}
