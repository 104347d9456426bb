import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../support/api.ts';
import { MINUTE } from '../support/clock.ts';
import { expectError } from '../support/contract.ts';
import { rawRequest } from '../support/raw-http.ts';
import { writingNothing } from '../support/row-counts.ts';
import { runTwice } from '../support/run-twice.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

interface NotificationRow {
  status: string;
  tries: number;
  event: string;
  payment_references: string[];
}

describe('POST /notifications/{connection}', () => {
  let stack: Stack;
  let connectionId: string;
  let secretKey: string;
  before(async () => {
    stack = await startStack();
    const [connection] = await stack.context.db.query<{ id: string; credentials: string }>(
      'select id, credentials from connections',
    );
    connectionId = connection!.id;
    const owner = {
      table: 'connections',
      row: connectionId,
      tenant: stack.tenant.tenant_id,
      mode: 'test',
    };
    secretKey = JSON.parse(stack.context.vault.open(connection!.credentials, owner)).secret_key;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const sign = (body: string | Buffer, key = secretKey) =>
    createHmac('sha512', key).update(body).digest('hex');
  const post = (body: string | Buffer, headers: Record<string, string>, to = connectionId) =>
    rawRequest(new URL(stack.baseUrl).origin, {
      method: 'POST',
      path: `/notifications/${to}`,
      headers,
      body,
    });
  /** Notifies as the provider would: over the very bytes, with its signature. */
  const notify = (body: string | Buffer) =>
    post(body, { 'content-type': 'application/json', 'x-paystack-signature': sign(body) });
  const stored = (body: string) =>
    stack.context.db.query<NotificationRow>(
      `select * from notifications where body_sha256 = encode(sha256(convert_to($1, 'UTF8')), 'hex')`,
      [body],
    );

  const expectRefused = (answer: Answer) => {
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers.get('x-powered-by')).to.equal(null);
  };

  it('is taken once per body: stored, answered 200, and worked on', async () => {
    const body = '{"event":"charge.success","data":{"reference":"somebody-elses"}}';
    const [first] = await runTwice(stack, () => notify(body));
    expect([first.status, first.json]).to.deep.equal([200, { received: true }]);
    expect(await stored(body)).to.have.length(1);
  });

  it('finds the payment it names, and a repeat finds nothing new', async () => {
    const { reference } = (
      await stack.api.post('/charges', { amount_kobo: 50_000, email: 'ada@example.com' })
    ).json;
    await stack.settle();
    await stack.control.pay(reference, { notify: false });
    const [payment] = await stack.control.payments(reference);
    const body = JSON.stringify({
      event: 'charge.success',
      data: { reference: payment!.reference },
    });
    await notify(body);
    await stack.settle();
    expect((await stack.api.get(`/charges/${reference}`)).json.status).to.equal('completed');
    expect((await stored(body))[0]).to.include({ status: 'processed', tries: 1 });

    await writingNothing(stack, async () => {
      await notify(body);
      stack.clock.advance(MINUTE);
      await stack.settle();
    });
    expect((await stored(body))[0]).to.include({ status: 'processed', tries: 2 });
  });

  it('says nothing that is believed: a payment it names that was not made stays unmade', async () => {
    const { reference } = (
      await stack.api.post('/charges', { amount_kobo: 50_000, email: 'ada@example.com' })
    ).json;
    await stack.settle();
    const [payment] = await stack.control.payments(reference);
    const data = { reference: payment!.reference, status: 'success', amount: 50_000 };
    await notify(JSON.stringify({ event: 'charge.success', data }));
    await stack.settle();
    expect((await stack.api.get(`/charges/${reference}`)).json.status).to.equal('open');
  });

  const ignored: [title: string, body: string][] = [
    ['an event we do not know', '{"event":"subscription.create","data":{"code":"SUB_1"}}'],
    [
      'a reference we do not know',
      '{"event":"charge.success","data":{"reference":"SV-999999-00000000"}}',
    ],
    ['a reference that is none', '{"event":"charge.success","data":{"reference":{"a":1}}}'],
    ['no event', '{"data":{}}'],
    ['an array', '[1,2]'],
    ['a text', '"charge.success"'],
    ['null', 'null'],
    ['JSON that breaks off', '{"event":"charge.success","data":{"refer'],
    ['nothing', ''],
    ['a NUL in the event', '{"event":"charge\\u0000.success","data":{}}'],
    ['a NUL in the reference', '{"event":"charge.success","data":{"reference":"SV-1\\u0000"}}'],
    ['half a surrogate pair', '{"event":"\\ud800","data":{"reference":"\\ud800"}}'],
    [
      'an event of a million letters',
      `{"event":"${'e'.repeat(1_000_000)}","data":{"reference":"${'r'.repeat(1_000_000)}"}}`,
    ],
    ['__proto__', '{"__proto__":{"event":"charge.success"},"event":"x"}'],
  ];
  for (const [title, body] of ignored) {
    it(`that is signed but holds ${title} is taken, and ends ignored`, async () => {
      expect((await notify(body)).status).to.equal(200);
      await stack.settle();
      const [row, ...more] = await stored(body);
      expect([row?.status, more.length]).to.deep.equal(['ignored', 0]);
      expect(row!.event.length).to.be.at.most(100);
    });
  }

  const body = '{"event":"charge.success","data":{"reference":"SV-100001-abcdefgh"}}';
  const refusals: [title: string, send: () => Promise<Answer>][] = [
    ['without a signature', () => post(body, {})],
    ['with an empty signature', () => post(body, { 'x-paystack-signature': '' })],
    [
      'with a signature of something else',
      () => post(body, { 'x-paystack-signature': sign(`${body} `) }),
    ],
    [
      'signed with another key',
      () => post(body, { 'x-paystack-signature': sign(body, 'sk_test_other') }),
    ],
    [
      'with a signature in capitals',
      () => post(body, { 'x-paystack-signature': sign(body).toUpperCase() }),
    ],
    [
      'with half a signature',
      () => post(body, { 'x-paystack-signature': sign(body).slice(0, 64) }),
    ],
    [
      'that broke off on the way',
      () => post(body.slice(0, -5), { 'x-paystack-signature': sign(body) }),
    ],
    ['that arrived empty', () => post('', { 'x-paystack-signature': sign(body) })],
    [
      'to a connection nobody has',
      () => post(body, { 'x-paystack-signature': sign(body) }, 'con_01h455vb4pex5vsknk084sn02q'),
    ],
    ['to what is no connection', () => post(body, { 'x-paystack-signature': sign(body) }, 'con_x')],
    ['to a NUL', () => post(body, { 'x-paystack-signature': sign(body) }, '%00')],
  ];
  it('refuses everything that is not from the provider with one and the same 401, and writes nothing', async () => {
    const answers = new Set<string>();
    for (const [title, send] of refusals) {
      const answer = await writingNothing(stack, send).catch((error: Error) => {
        throw new Error(`${title}: ${error.message}`);
      });
      expectRefused(answer);
      answers.add(answer.text);
    }
    expect(answers.size).to.equal(1);
  });

  it('of one tenant’s provider is not taken at another tenant’s connection', async () => {
    const other = await stack.newTenant();
    const [connection] = await stack.context.db.query<{ id: string }>(
      'select id from connections where tenant_id = $1',
      [other.tenant_id],
    );
    expectRefused(
      await writingNothing(stack, () =>
        post(body, { 'x-paystack-signature': sign(body) }, connection!.id),
      ),
    );
  });

  it('may be 5 MB and no more', async () => {
    const tooMuch = Buffer.alloc(5 * 1024 * 1024 + 1, ' ');
    const answer = await writingNothing(stack, () =>
      post(tooMuch, { 'x-paystack-signature': sign(tooMuch) }),
    );
    expectError(answer, 413, 'payload_too_large');
    expect(answer.json.error.message).to.include('5 MB');
    expect((await notify(tooMuch.subarray(1))).status).to.equal(200);
  });

  it('is not unpacked: a few bytes of gzip could hold megabytes', async () => {
    for (const encoding of ['gzip', 'compress']) {
      const headers = { 'content-encoding': encoding, 'x-paystack-signature': sign(body) };
      expectError(
        await writingNothing(stack, () => post(gzipSync(body), headers)),
        415,
        'unsupported_media_type',
      );
    }
  });

  it('that comes forty times at once is one', async () => {
    const again = '{"event":"charge.success","data":{"reference":"forty"}}';
    const before = await stack.count('notifications');
    const answers = await Promise.all(Array.from({ length: 40 }, () => notify(again)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(await stack.count('notifications')).to.equal(before + 1);
  });
});
