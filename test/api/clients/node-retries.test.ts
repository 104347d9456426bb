import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useStack } from '../../support/stack.ts';
import { serve, useShop } from './given.ts';

/** By hand: CREATES=1000. */
const CREATES = Number(process.env.CREATES ?? 60);
const AT_ONCE = 20;

const TIMEOUT_MS = 2_000;

describe('The Node client, where the network or the service fails', () => {
  const stack = useStack({ workers: false });
  const shop = useShop(stack);

  /** Answers one after the other; the last again and again. */
  type Answer = (response: ServerResponse) => void;
  const status =
    (code: number, headers = {}): Answer =>
    (response) =>
      response.writeHead(code, headers).end('{"error":{"code":"x","message":"y"}}');
  const cut: Answer = (response) => response.destroy();
  const silence: Answer = () => {};
  const ok: Answer = (response) => response.end('{}');

  async function scripted(...answers: Answer[]) {
    const limits = answers[0] === silence ? { timeoutMs: 1_000 } : {};
    const asked: { key: string | undefined; body: string }[] = [];
    const server = await serve(async (request, response) => {
      const body = (await buffer(request)).toString();
      asked.push({ key: request.headers['idempotency-key'] as string | undefined, body });
      (answers.length > 1 ? answers.shift() : answers[0])!(response);
    });
    const { Payments } = shop.module;
    const options = { key: 'svc_sk_test_x', baseUrl: server.url, ...limits };
    return { ...server, asked, payments: new Payments(options) };
  }

  const cases: [name: string, answers: Answer[]][] = [
    ['429, when it should', [status(429, { 'Retry-After': '1' }), ok]],
    ['503', [status(503), ok]],
    ['a cut connection', [cut, ok]],
    ['silence', [silence, ok]],
    ['a failure of the service or a proxy', [status(500), status(502), status(504), ok]],
  ];
  for (const [name, answers] of cases)
    it(`tries again after ${name}, with the same key and body`, async () => {
      await using server = await scripted(...answers);
      const startedMs = performance.now();
      await server.payments.charges.create({ amount_kobo: 10_000, email: 'ada@example.com' });
      const [first, ...others] = server.asked;
      // On a busy machine a try may time out that was answered.
      expect(others.length).to.be.at.least(answers.length - 1);
      expect(first!.key).to.match(/^[\w-]{36}$/);
      for (const other of others) expect(other).to.deep.equal(first);
      if (name.startsWith('429')) expect(performance.now() - startedMs).to.be.at.least(990);
    });

  it('uses the key it is given, and another one for each call that names none', async () => {
    await using server = await scripted(ok);
    const { charges } = server.payments;
    await charges.create({}, { idempotencyKey: 'order-1042' });
    await charges.create({});
    await charges.create({});
    const [given, ...random] = server.asked.map(({ key }) => key);
    expect(given).to.equal('order-1042');
    expect(new Set(random).size).to.equal(2);
  });

  it('does not repeat what may have been done and has no key, but what was refused for now', async () => {
    await using server = await scripted(cut, status(503), ok);
    const approve = () => server.payments.refunds.approve('ref_1');
    expect(await codeOf(approve())).to.equal('connection_failed');
    await approve();
    expect(server.asked).to.have.length(3);
  });

  it('gives up after as many tries as it may, at once when the wait is long, and when told to', async () => {
    const { payments } = shop;
    await using away = await scripted(status(503, { 'Retry-After': '0' }));
    expect(await codeOf(away.payments.business.get({ retries: 2 }))).to.equal('x');
    expect(away.asked).to.have.length(3);
    await using busy = await scripted(status(429, { 'Retry-After': '600' }));
    expect(await codeOf(busy.payments.business.get())).to.equal('x');
    expect(busy.asked).to.have.length(1);
    const signal = AbortSignal.abort(new Error('closing'));
    const error = await payments.business.get({ signal }).catch((error: Error) => error);
    expect(error.message).to.equal('closing');
    await using silent = await scripted(silence);
    const late = silent.payments.business.get({ timeoutMs: 50, retries: 0 });
    expect(await codeOf(late)).to.equal('timed_out');
  });

  it('does not ask without a pause where the service names a year as its wait', async () => {
    await using away = await scripted(status(503, { 'Retry-After': '31536000' }));
    const stop = new AbortController();
    const onRetry = () => setTimeout(() => stop.abort(), 200);
    await away.payments.events.follow({ signal: stop.signal, onRetry }).next();
    expect(away.asked).to.have.length(1);
  });

  it(`makes ${CREATES} charges of ${CREATES} creates through a proxy that cuts, delays and doubles`, async function () {
    this.timeout(60_000 + CREATES * 500);
    const did = { cutBefore: 0, cutAfter: 0, delayed: 0, doubled: 0 };
    let requests = 0;
    await using proxy = await serve(async (request, response) => {
      requests += 1;
      const turn = requests % 8;
      const send = await forwarding(request);
      switch (turn) {
        case 0:
          did.cutBefore += 1;
          return void response.destroy();
        case 1:
          did.cutAfter += 1;
          await send();
          return void response.destroy();
        case 2:
          did.delayed += 1;
          await sleep(TIMEOUT_MS * 1.5);
          break;
        case 3:
          did.doubled += 1;
          await Promise.all([send(), send()]);
      }
      const { status, text } = await send();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
    const { Payments } = shop.module;
    const tenant = await stack.newTenant();
    const payments = new Payments({
      key: tenant.secret_key_test,
      baseUrl: proxy.url,
      timeoutMs: TIMEOUT_MS,
      retries: 30,
    });
    const orders = Array.from({ length: CREATES }, (_, n) => `order-${n}`).values();
    const created: [string, string][] = [];
    const work = async () => {
      for (const order of orders) {
        const body = { amount_kobo: 10_000, email: 'ada@example.com', reference: order };
        const { reference } = await payments.charges.create(body);
        created.push([reference, order]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const rows = await stack.sql`select number, merchant_reference from charges
      where tenant_id = ${tenant.tenant_id}`;
    const stored = rows.map((row) => [`SV-${row.number}`, row.merchant_reference]);
    expect(stored).to.have.length(CREATES);
    expect(stored).to.have.deep.members(created);
    for (const [what, times] of Object.entries(did)) expect(times, what).to.be.greaterThan(0);
  });

  async function forwarding(request: IncomingMessage) {
    const body = await buffer(request);
    const { authorization, 'idempotency-key': key } = request.headers;
    const headers = {
      ...{ 'Content-Type': 'application/json', Authorization: authorization! },
      'Idempotency-Key': String(key),
    };
    return async () => {
      const options = { method: 'POST', headers, body };
      const answer = await fetch(`${stack.origin}${request.url}`, options);
      return { status: answer.status, text: await answer.text() };
    };
  }

  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => undefined,
      ({ code }) => code,
    );
});
