import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect } from 'chai';
import { freePort } from '../../../scripts/local/free-port.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import { killed } from '../../support/killed.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { addEvent } from '../events/given.ts';
import { serve, useShop } from './given.ts';

describe('The command payments', () => {
  const stack = useStack({ newTenants: true });
  const shop = useShop(stack);

  function start(words: string[], env: Record<string, string> = {}) {
    const file = join(shop.installed, 'command/payments.js');
    const child = spawn(process.execPath, [file, ...words], {
      cwd: shop.folder,
      env: { ...process.env, PAYMENTS_KEY: stack.tenant.secret_key_test, ...env },
    });
    const [stdout, exited] = [text(child.stdout), once(child, 'exit')];
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const ended = async () => {
      const [code] = await exited;
      const out = await stdout;
      const lines = out.split('\n').filter(Boolean);
      return { code, out, errors, lines: () => lines.map((one) => JSON.parse(one)) };
    };
    return { child, ended, errors: () => errors, [Symbol.asyncDispose]: () => killed(child) };
  }
  async function run(words: string[], { input = '', ...env }: Record<string, string> = {}) {
    await using command = start(words, env);
    command.child.stdin.end(input);
    return await command.ended();
  }

  it('creates, reads and lists charges, as JSON lines in a pipe', async () => {
    const email = 'ada@example.com';
    const words = ['charges', 'create', '--amount-kobo', '3000000000', '--email', email];
    const metadata = ['order_id=1042', 'gift=true', 'note=null', 'size=XL', 'phone=0803'];
    const given = metadata.flatMap((pair) => ['--metadata', pair]);
    const [created] = (await run([...words, ...given])).lines();
    const [read] = (await run(['charges', 'get', created.reference])).lines();
    expect(read).to.deep.equal(created);
    await newCharge(stack, { email });
    const list = ['charges', 'list', '--customer', email, '--status', 'initiated', '--limit', '1'];
    expect((await run([...list, '--status', 'pending'])).lines()).to.have.length(1);
    const all = (await run([...list, '--status', 'pending', '--all'])).lines();
    expect(all.map(({ amount_kobo }) => amount_kobo)).to.deep.equal([100_000, 3_000_000_000]);
    const kept = { order_id: 1042, gift: true, note: null, size: 'XL', phone: '0803' };
    expect(all[1].metadata).to.deep.equal(kept);
  });

  it('says what the sandbox’s customer does', async () => {
    const words = [
      '--amount_kobo',
      '10000',
      '--email',
      'ada@example.com',
      '--scenario',
      'declined',
    ];
    const [created] = (await run(['charges', 'create', ...words])).lines();
    expect(await stored(stack, created)).to.include({ test_scenario: 'declined' });
  });

  it('calls every other operation by its name', async () => {
    const link = ['--amount-kobo', '10000', '--description', 'Rice', '--idempotency-key', 'rice'];
    const [first] = (await run(['payment-links', 'create', ...link])).lines();
    const [again] = (await run(['payment-links', 'create', ...link])).lines();
    expect(again).to.deep.equal(first);
    expect((await run(['payment-links', 'list'])).lines()).to.deep.equal([first]);
  });

  const wrong: [words: string[], message: RegExp, env?: Record<string, string>][] = [
    [['charges', 'frob'], /no command charges frob/],
    [['charges'], /no command charges/],
    [['charges', 'get'], /payments charges get REFERENCE/],
    [['charges', 'list', '--nope', '1'], /Unknown option '--nope'/],
    [['charges', 'create', '--amount-kobo', '1.5'], /--amount-kobo must be an integer/],
    [['charges', 'create', '--metadata', 'x'], /--metadata must be NAME=VALUE/],
    [['charges', 'list'], /Set PAYMENTS_KEY/, { PAYMENTS_KEY: '' }],
    [['listen'], /--forward-to must be an address/],
    [['events', 'tail', '--from', 'noon'], /--from must be now or beginning/],
    [['trigger', 'charge.settled'], /Name one type: charge.succeeded/],
    [
      ['trigger', 'settlement.landed'],
      /no key causes.*\ncurl http:\/\/localhost:4001\/_control\/settle -H '.+' -d '\{\}'$/m,
    ],
    [['trigger', 'charge.succeeded'], /secret test key only/, { PAYMENTS_KEY: 'svc_sk_live_x' }],
    [['trigger', 'charge.succeeded'], /secret test key only/, { PAYMENTS_KEY: 'hat_x' }],
    [['webhooks', 'verify'], /Give --signature/],
  ];
  for (const [words, message, env] of wrong)
    it(`says what is wrong with: payments ${words.join(' ')}, and asks nothing`, async () => {
      const asked: unknown[] = [];
      await using server = await serve((request, response) => {
        asked.push(request.url);
        response.end('{}');
      });
      const { code, out, errors } = await run(words, { PAYMENTS_URL: server.url, ...env });
      expect([code, out, asked]).to.deep.equal([2, '', []]);
      expect(errors).to.match(message);
      expect(errors).not.to.include('    at ');
    });

  it('ends with 1 and the reason where the service refuses', async () => {
    const { code, out, errors } = await run(['charges', 'get', 'SV-1']);
    expect([code, out]).to.deep.equal([1, '']);
    expect(errors).to.match(/^[^\n]+\n$/);
  });

  it('verifies the webhook that comes on stdin', async () => {
    const secret = 'whsec_c2VjcmV0';
    const body = JSON.stringify({ id: 'evt_1', type: 'charge.succeeded' });
    const { 'service-signature': signature } = shop.module.signWebhook(body, secret);
    const words = ['webhooks', 'verify', '--signature', signature];
    const genuine = await run([...words, '--secret', secret], { input: body });
    expect([genuine.code, genuine.lines()]).to.deep.equal([0, [JSON.parse(body)]]);
    const forged = await run(words, { WEBHOOK_SECRET: secret, input: `${body} ` });
    expect([forged.code, forged.out]).to.deep.equal([1, '']);
    expect(forged.errors).to.include('does not fit');
  });

  /** Pays each charge whose scenario it takes away, and keeps which it was. */
  async function paying(scenarios: unknown[]) {
    return serve(async (request, response) => {
      const { authorization, 'test-scenario': scenario } = request.headers;
      const body = await buffer(request);
      const answer = await fetch(`${stack.origin}${request.url}`, {
        method: request.method!,
        headers: { Authorization: authorization!, 'Content-Type': 'application/json' },
        ...(body.length > 0 ? { body } : {}),
      });
      const sent = await answer.text();
      if (scenario) {
        scenarios.push(scenario);
        await stack.settle();
        await stack.control.pay(JSON.parse(sent).reference);
        await stack.settle();
      }
      response.writeHead(answer.status).end(sent);
    });
  }

  it('triggers an event by the scenario of its charge, and shows it', async () => {
    const scenarios: unknown[] = [];
    await using proxy = await paying(scenarios);
    const { code, lines, errors } = await run(['trigger', 'charge.succeeded'], {
      PAYMENTS_URL: proxy.url,
    });
    expect([code, scenarios], errors).to.deep.equal([0, ['paid']]);
    expect(lines()).to.have.length(1);
    expect(lines()[0].type).to.equal('charge.succeeded');
  });

  it('requests the refund about which an Owner decides, and shows the decision', async () => {
    const { env } = stack.context;
    using scope = new DisposableStack();
    scope.adopt(env.publicUrl, (before) => {
      env.publicUrl = before;
    });
    env.publicUrl += '/pay'; // the BASE_PATH of a deployment
    await using proxy = await paying([]);
    await using command = start(['trigger', 'refund.rejected'], { PAYMENTS_URL: proxy.url });
    const asked = /^Reject the refund as an Owner: (.+\/dashboard\/refunds\/(ref_\w+))\n/m;
    const [, page, id] = await until('the request', async () => asked.exec(command.errors()));
    expect(page).to.equal(`${env.publicUrl}/dashboard/refunds/${id}`);
    const { api } = await memberOf(stack, stack.tenant, 'owner');
    await api.post(`/refunds/${id}/reject`, { reason: 'Worn' });
    const { code, lines } = await command.ended();
    expect([code, lines().map(({ type }) => type)]).to.deep.equal([0, ['refund.rejected']]);
  });

  for (const words of [
    ['listen', '--forward-to', 'http://localhost:9'],
    ['events', 'tail'],
  ])
    it(`says that ${words.join(' ')} cannot keep its cursor`, async () => {
      const { code, errors } = await run([...words, '--cursor', 'no/such/folder']);
      expect([code, errors.trimEnd().split('\n').at(-1)]).to.deep.equal([
        1,
        "The cursor cannot be kept. ENOENT: no such file or directory, open 'no/such/folder.next'",
      ]);
    });

  it('shows what happens until it is interrupted, and continues there', async () => {
    const ids = [await addEvent(stack)];
    await nothingHeldBack(stack);
    const words = ['events', 'tail', '--from', 'beginning', '--cursor', 'tail'];
    const seen: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await using tail = start(words);
      const [shown] = await once(tail.child.stdout, 'data');
      await until('its cursor', () => savedCursor('tail', ids.at(-1)!));
      tail.child.kill('SIGINT');
      expect((await tail.ended()).code).to.equal(0);
      seen.push(JSON.parse(String(shown)).id);
      ids.push(await addEvent(stack));
      await nothingHeldBack(stack);
    }
    expect(seen).to.deep.equal(ids.slice(0, 2));
  });

  const RESTARTS = Number(process.env.RESTARTS ?? 3);
  it(`forwards every event through ${RESTARTS} restarts, signed, in order for each charge, to a receiver that fails`, async function () {
    this.timeout(60_000 + RESTARTS * 20_000);
    const charges = ['SV-1', 'SV-2', 'SV-3'];
    const published: Record<string, string[]> = { 'SV-1': [], 'SV-2': [], 'SV-3': [] };
    const taken: Record<string, string[]> = { 'SV-1': [], 'SV-2': [], 'SV-3': [] };
    const secret = 'whsec_c2VjcmV0';
    let requests = 0;
    await using receiver = await serve(
      shop.module.webhookListener(
        secret,
        ({ id, data }: any) => {
          requests += 1;
          if (requests % 3 === 0) throw new Error('a bad moment');
          taken[data.reference]!.push(id);
        },
        { onError: () => {} },
      ),
    );
    const port = await freePort();
    let gateway = await openGateway(port);
    const env = { PAYMENTS_URL: `http://127.0.0.1:${port}`, WEBHOOK_SECRET: secret };
    const words = [
      'listen',
      '--forward-to',
      receiver.url,
      '--from',
      'beginning',
      '--cursor',
      'listen',
    ];
    await using listen = start(words, env);
    const failures = () => listen.errors().split('Trying again').length - 1;
    for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
      const failed = failures();
      await closeGateway(gateway);
      for (const reference of [...charges, ...charges])
        published[reference]!.push(await addEvent(stack, { reference }));
      await until('a try that fails', async () => failures() > failed);
      gateway = await openGateway(port);
      await nothingHeldBack(stack);
      await until('the newest events', async () =>
        charges.every((charge) => taken[charge]!.length === published[charge]!.length),
      );
    }
    await until('its cursor', () => savedCursor('listen', published['SV-3']!.at(-1)!));
    listen.child.kill('SIGTERM');
    const { code, lines, errors } = await listen.ended();
    await closeGateway(gateway);
    expect(code, errors).to.equal(0);
    expect(errors).to.include(`signed with ${secret}`);
    expect(taken).to.deep.equal(published);
    const states = lines().map(({ forwarded }) => forwarded.slice(0, 3));
    expect(new Set(states)).to.deep.equal(new Set(['200', '500']));
  });

  it('says that it forwards once nothing that happens can be missed', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
    await using server = await serve((_request, response) => resolve(response));
    const words = ['listen', '--forward-to', server.url];
    await using listen = start(words, { PAYMENTS_URL: server.url });
    const response = await asked;
    expect(listen.errors()).to.equal('');
    response.setHeader('Content-Type', 'application/json');
    response.end('{"data":[],"next_cursor":"c"}');
    await until('its word', async () => listen.errors().includes('Forwarding to'));
  });

  it('draws a table again in place, of rows that fit, and lets no text move the cursor', async () => {
    const { liveTable } = await import(join(shop.installed, 'command/print.js'));
    let screen = '';
    const write = (sent: string) => {
      screen = sent;
    };
    const table = liveTable({ rows: 4, columns: 24, write });
    table.show('a', { event: 'one', reference: 'first', forwarded: '' });
    table.show('b', { event: 'two', reference: '\x1b[2J', forwarded: 'very long, and cut' });
    expect(screen).to.equal(
      '\x1b[2A\x1b[JEVENT  REFERENCE  FORWA\none    first\ntwo    ·[2J       very\n',
    );
    table.show('c', { event: 'three', reference: 'third', forwarded: '200' });
    table.show('b', { event: 'two', reference: 'second', forwarded: '200' });
    expect(screen).to.equal(
      '\x1b[3A\x1b[JEVENT  REFERENCE  FORWA\ntwo    second     200\nthree  third      200\n',
    );
  });

  async function savedCursor(file: string, id: string) {
    const cursor = await readFile(join(shop.folder, file), 'utf8').catch(() => '');
    return Buffer.from(cursor, 'base64url').toString().includes(id);
  }

  /** The service, behind an address where it can be away. */
  async function openGateway(port: number): Promise<Server> {
    const gateway = createServer((request, response) => {
      const { method, headers } = request;
      const forwarded = httpRequest(`${stack.origin}${request.url}`, { method, headers });
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
    });
    await once(gateway.listen(port, '127.0.0.1'), 'listening');
    return gateway;
  }
  async function closeGateway(gateway: Server) {
    const closed = once(gateway.close(), 'close');
    gateway.closeAllConnections();
    await closed;
  }
});
