import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { guarantees } from '../../../scripts/bench/guarantees.ts';
import { floorApp } from '../../../scripts/bench/life-floor-app.ts';
import { openCalls } from '../../../scripts/bench/life-floor-calls.ts';
import { openRows } from '../../../scripts/bench/life-floor-rows.ts';
import { order } from '../../../scripts/bench/order.ts';
import {
  guaranteeFigures,
  merchantOf,
  registerMerchants,
} from '../../../scripts/bench/pipeline-floor.ts';
import { openSession } from '../../../scripts/bench/session.ts';
import { callOnce, expectAnswer } from '../../../scripts/local/api-call.ts';
import { startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { GENUINE, startMerchantServer, verified } from '../../support/merchant-server.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { openDatabase } from '../sandbox/fixture.ts';

const adapters = { provider_a: 'paystack', provider_b: 'flutterwave', provider_c: 'monnify' };
const now = () => new Date();

describe('The floor of the life of a charge', () => {
  for (const kept of [0, guarantees.length])
    it(`takes a payment at each provider and tells of it once, with ${kept} guarantees`, async () => {
      await using floor = await openFloor();
      await floor.post('/guarantees', { count: kept });
      for (const [number, provider] of slots.entries()) {
        const created = await floor.post('/v1/charges', { ...order(number), provider });
        expect(created).to.include({ object: 'checkout', status: 'open', provider });
        await floor.pay(created.reference);
        const arrival = floor.arrivals[number]!;
        expect(verified(arrival, floor.secret)).to.deep.equal(GENUINE);
        expect(arrival.event.data).to.deep.include({
          ...{ reference: created.reference, status: 'succeeded', provider },
          amount_kobo: order(number).amount_kobo,
          customer: {
            email: order(number).email,
            name: 'Adaeze Okafor',
            phone: order(number).phone,
          },
        });
        expect(arrival.event.data).to.have.property('fee_kobo').above(0);
      }
      expect(floor.arrivals).to.have.length(slots.length);
      const { charges, ...rows } = await floor.counts();
      expect(charges).to.equal(3);
      const each = { idempotency_keys: 3, outbox: 6, evidence: 3, timeline_entries: 6 };
      const all = { ...each, events: 3, deliveries: 3, delivery_tries: 3, postings: 6 };
      const none = Object.fromEntries(Object.keys(all).map((table) => [table, 0]));
      expect(rows).to.deep.equal({ ...(kept ? all : none), due: 0 });
    });

  it('refuses a stranger and a notification that nobody signed', async () => {
    await using floor = await openFloor();
    expect((await floor.call('/v1/charges', order(1), 'svc_sk_test_0')).status).to.equal(401);
    for (const path of floor.notificationPaths)
      expect((await floor.call(path, { data: {} })).status, path).to.equal(401);
  });
});

describe('What guarantees add to the floor', () => {
  it('is how much the median over the rounds grows with each, and adds up to all of them', () => {
    const rounds = [
      { none: 2, outbox: 3, journal: 3.5 },
      { none: 2.2, outbox: 3, journal: 4 },
      { none: 2.3, outbox: 9, journal: 3.9 },
    ];
    expect(guaranteeFigures(rounds)).to.deep.equal({
      ...{ rate: 100, floor: 2.2, added: { outbox: 0.8, journal: 0.9 }, with_all: 3.9 },
    });
  });
});

async function openFloor() {
  await using scope = new AsyncDisposableStack();
  const connectionString = await emptyDatabase();
  const database = await openDatabase();
  scope.defer(() => database.close());
  const sandbox = scope.use(
    await startSandbox({ sql: database.sql, port: 0, now, random: Math.random }),
  );
  const server = scope.use(await startMerchantServer(now));
  const merchant = merchantOf(server.url, adapters, sandbox.url);
  const rows = scope.use(await openRows(connectionString, 4));
  const calls = scope.use(openCalls());
  const app = scope.use(
    await listen(createServer(floorApp({ rows, calls }, [merchant])), 0, '127.0.0.1'),
  );
  const url = `http://127.0.0.1:${app.port}`;
  await registerMerchants([merchant], sandbox.url, url);
  const session = scope.use(await openSession({ connectionString }));
  const started = scope.move();
  const { key, accounts, webhook } = merchant;
  return {
    ...{ arrivals: server.arrivals, secret: webhook.secret },
    notificationPaths: Object.values(accounts).map(({ id }) => `/notifications/${id}`),
    call: (path: string, body: object, as = key) => callOnce(url, { path, body, key: as }),
    post: (path: string, body: object) =>
      expectAnswer<any>(url, { path, body, key, idempotencyKey: randomUUID() }),
    async pay(reference: string): Promise<void> {
      const body = { reference, outcome: 'success' };
      await expectAnswer(sandbox.url, { path: '/_control/pay', body });
      await sandbox.idle();
    },
    /** Rows by table, and those still due. */
    async counts(): Promise<Record<string, number>> {
      const tables = guarantees.flatMap((each) => each.tables.match(/(?<=create table )\w+/g)!);
      const counts = tables.map((name) => `(select count(*) from ${name}) as ${name}`);
      const [row] = await session.query<Record<string, number>>(
        `select (select count(*) from floor_charges where status = 'succeeded') as charges,
           (select count(*) from outbox where due_at is not null)
             + (select count(*) from deliveries where due_at is not null) as due, ${counts}`,
      );
      return row!;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
