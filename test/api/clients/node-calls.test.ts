import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { routes } from '../../../api/routes.ts';
import { newCharge, openCharge } from '../../support/charges.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import { useStack } from '../../support/stack.ts';
import { addEvent } from '../events/given.ts';
import { serve, useShop } from './given.ts';

describe('The Node client', () => {
  const stack = useStack();
  const shop = useShop(stack);

  const refusal = async (asked: Promise<unknown>) => {
    const error: any = await asked.then(
      () => expect.fail('it was not refused'),
      (error) => error,
    );
    expect(error).to.be.instanceOf(shop.module.PaymentsError);
    return error;
  };
  const collect = async (items: AsyncIterable<any>) => {
    const found = [];
    for await (const item of items) found.push(item);
    return found;
  };

  it('creates and reads a charge of 3,000,000,000 kobo with metadata of every type', async () => {
    const metadata = { order_id: 1042, gift: true, note: null, name: 'Ada' };
    const body = { amount_kobo: 3_000_000_000, email: 'ada@example.com', metadata };
    const { reference } = await shop.payments.charges.create(body);
    const { amount_kobo, ...read } = await shop.payments.transactions.get(reference);
    expect([amount_kobo, read.metadata]).to.deep.equal([body.amount_kobo, metadata]);
  });

  it('has a method for every operation of the document, which asks what the operation says', async () => {
    const asked: string[] = [];
    await using server = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{"data":[]}');
    });
    const everything = new shop.module.Payments({ key: 'svc_sk_test_x', baseUrl: server.url });
    const { operations } = await import(join(shop.installed, 'deployment.js'));
    for (const [resource, methods] of Object.entries<Record<string, any>>(operations))
      for (const [name, { path, list, input }] of Object.entries(methods)) {
        const inPath = [...path.matchAll(/\{/g)].map(() => 'some/id');
        const answer = everything[resource][name](...inPath, ...(input ? [undefined] : []));
        await (list ? answer.page() : answer);
      }
    const expected = routes.map(
      ({ method, path }) => `${method.toUpperCase()} /v1${path.replace(/:\w+/g, 'some%2Fid')}`,
    );
    expect(asked.sort()).to.deep.equal(expected.sort());
  });

  it('walks every page of a list, and reads one where it is asked for one', async () => {
    const email = 'walks@example.com';
    const references: string[] = [];
    for (let n = 0; n < 5; n += 1)
      references.unshift((await newCharge(stack, { email })).reference);
    const list = shop.payments.transactions.list({ customer: email, limit: 2 });
    expect((await collect(list)).map((one) => one.reference)).to.deep.equal(references);
    expect((await list.page()).data).to.have.length(2);
    expect((await collect(list.pages())).map(({ data }) => data.length)).to.deep.equal([2, 2, 1]);
    const none = shop.payments.transactions.list({ status: ['failed', 'disputed'] });
    expect(await collect(none)).to.deep.equal([]);
  });

  it('ends a walk over the feed of events at its end', async () => {
    const ids = [await addEvent(stack), await addEvent(stack), await addEvent(stack)];
    await nothingHeldBack(stack);
    const events = await collect(shop.payments.events.list({ after: ids[0], limit: 1 }));
    expect(events.map(({ id }) => id)).to.deep.equal(ids.slice(1));
  });

  it('throws what was wrong: its code, its fields, its body and the request’s id', async () => {
    const error = await refusal(shop.payments.charges.create({ amount_kobo: 1, email: 'a@b.co' }));
    expect(error).to.be.instanceOf(shop.module.ApiError);
    const wrong = 'must be at least 100 naira (10000 kobo)';
    expect(error).to.deep.include({
      name: 'ApiError',
      code: 'validation_failed',
      status: 422,
      fields: { amount_kobo: wrong },
    });
    expect(error.message).to.include(`amount_kobo ${wrong}`);
    expect(error.body.error.code).to.equal('validation_failed');
    expect(error.requestId).to.match(/^req_/);
  });

  it('throws ApiError for an answer in another form than the service’s, too', async () => {
    await using proxy = await serve((_request, response) =>
      response.writeHead(404).end('<h1>Nothing here</h1>'),
    );
    const { Payments, ApiError } = shop.module;
    const lost = new Payments({ key: 'svc_sk_test_x', baseUrl: proxy.url });
    const error = await refusal(lost.charges.get('SV-100001'));
    expect(error).to.be.instanceOf(ApiError);
    expect([error.code, error.status]).to.deep.equal(['unexpected_answer', 404]);
    expect(error.body).to.equal('<h1>Nothing here</h1>');
  });

  it('reads no answer that is longer than it should', async () => {
    await using endless = await serve((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
    });
    const { Payments } = shop.module;
    const options = { key: 'svc_sk_test_x', baseUrl: endless.url, maxAnswerBytes: 100_000 };
    const error = await refusal(new Payments(options).business.get());
    expect(error.code).to.equal('answer_too_long');
  });

  it('follows no redirection with its key', async () => {
    const keys: unknown[] = [];
    await using elsewhere = await serve((request, response) => {
      keys.push(request.headers.authorization);
      response.end('{}');
    });
    await using server = await serve((_request, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const moved = new shop.module.Payments({ key: 'svc_sk_test_x', baseUrl: server.url });
    expect((await refusal(moved.business.get())).status).to.equal(307);
    expect(keys).to.deep.equal([]);
  });

  const wrongUses: [what: string, use: (shop: any) => unknown, message: RegExp][] = [
    ['no key', ({ Payments }) => new Payments({ key: undefined }), /key must be/],
    ['a key of two lines', ({ Payments }) => new Payments({ key: 'svc_\nx' }), /key must be/],
    [
      'a plain address of another host',
      ({ Payments }) => new Payments({ key: 'x', baseUrl: 'http://pay.example.com' }),
      /https/,
    ],
    ['no id', ({ payments }) => payments.charges.get(undefined), /reference must be/],
    ['an id that leaves its path', ({ payments }) => payments.refunds.get('..'), /id must be/],
  ];
  for (const [what, use, message] of wrongUses)
    it(`refuses ${what} before it asks`, () => {
      const { module, payments } = shop;
      expect(() => use({ ...module, payments })).to.throw(TypeError, message);
    });

  it('asks the deployment it comes from by plain http, where that is its address', async () => {
    const copy = join(shop.folder, 'plain');
    await cp(shop.installed, copy, { recursive: true });
    const file = join(copy, 'deployment.js');
    const deployment = await readFile(file, 'utf8');
    await writeFile(file, deployment.replace(stack.baseUrl, 'http://pay.internal/v1'));
    const { Payments } = await import(join(copy, 'index.js'));
    expect(() => new Payments({ key: 'x' })).not.to.throw();
    const at = (baseUrl: string) => () => new Payments({ key: 'x', baseUrl });
    expect(at('http://pay.internal')).not.to.throw();
    expect(at('http://pay.other/v1')).to.throw('https');
  });

  it('takes the address with /v1 and without', async () => {
    const { Payments } = shop.module;
    for (const baseUrl of [stack.origin, `${stack.origin}/`, stack.baseUrl, `${stack.baseUrl}/`]) {
      const { object } = await new Payments({
        key: stack.tenant.secret_key_test,
        baseUrl,
      }).business.get();
      expect(object).to.equal('business');
    }
  });

  it('does not show its key to whoever prints it', async () => {
    const { inspect } = await import('node:util');
    const shown = inspect(shop.payments, { depth: 10, showHidden: true });
    expect(shown).not.to.include(stack.tenant.secret_key_test);
  });

  describe('following the feed', () => {
    it('hands out each event, those that come too, and begins again after the last that was handled', async () => {
      const { cursorFile, ApiError } = shop.module;
      const store = cursorFile(join(shop.folder, 'cursor'));
      const stop = new AbortController();
      const options = { store, pollMs: 10, signal: stop.signal };
      const ids = [await addEvent(stack), await addEvent(stack), await addEvent(stack)];
      await nothingHeldBack(stack);
      await store.save((await shop.payments.events.list({ after: ids[0] }).page()).data[0].id);
      const seen: string[] = [];
      const failing = async () => {
        for await (const { id } of shop.payments.events.follow(options)) {
          if (id === ids[2]) throw new Error('a mistake of the shop');
          seen.push(id);
        }
      };
      await expectRejected(failing, 'a mistake of the shop');
      expect(seen).to.deep.equal([]);
      expect(await readFile(join(shop.folder, 'cursor'), 'utf8')).to.equal(`${ids[1]}\n`);
      for await (const { id } of shop.payments.events.follow(options)) {
        seen.push(id);
        if (seen.length === 1) ids.push(await addEvent(stack));
        else stop.abort();
      }
      expect(seen).to.deep.equal(ids.slice(2));
      await writeFile(join(shop.folder, 'cursor'), 'no cursor');
      const { signal, ...again } = options;
      const error = await refusal(shop.payments.events.follow(again).next());
      expect(error).to.be.instanceOf(ApiError);
    });

    it('begins now, where it should', async () => {
      await openCharge(stack);
      await addEvent(stack);
      await nothingHeldBack(stack);
      let added: string | undefined;
      const store = {
        load: async () => undefined,
        save: async () => {
          added ??= await addEvent(stack);
        },
      };
      const events = shop.payments.events.follow({ from: 'now', store, pollMs: 10 });
      const { value } = await events.next();
      await events.return();
      expect(value.id).to.equal(added);
    });

    it('waits out a service that is away', async () => {
      let failures = 0;
      await using restarting = await serve((request, response) => {
        failures += 1;
        const page = { data: [{ id: 'evt_1' }], next_cursor: 'c', tenant_id: 'ten_1' };
        if (failures === 1) request.socket.destroy();
        else if (failures === 2) response.writeHead(502).end('Bad gateway');
        else response.end(JSON.stringify(page));
      });
      const { Payments } = shop.module;
      const payments = new Payments({ key: 'svc_sk_test_x', baseUrl: restarting.url });
      const told: string[] = [];
      const onRetry = ({ code }: { code: string }) => told.push(code);
      const events = payments.events.follow({ onRetry });
      const { value } = await events.next();
      await events.return();
      expect([value.id, told]).to.deep.equal(['evt_1', ['connection_failed', 'unexpected_answer']]);
    });
  });
});

async function expectRejected(work: () => Promise<unknown>, message: string) {
  const error = await work().then(
    () => undefined,
    (error) => error,
  );
  expect(error?.message).to.equal(message);
}
