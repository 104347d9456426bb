import { expect } from 'chai';
import { createChargeWriter } from '../../../config/database/charge-writer.ts';
import { createNotificationWriter } from '../../../config/database/notification-writer.ts';
import { findConnections } from '../../../domain/accounts/connection/connection.ts';
import type { Job } from '../../../domain/jobs.ts';
import type { Asker, ChargeRequest } from '../../../domain/payments/charge/create.ts';
import { blankCharge } from '../../../domain/payments/charge/row.ts';
import { type Arrival, openBody } from '../../../domain/payments/notification/store.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';
import { statementsOf } from '../../support/statements-of.ts';
import { until } from '../../support/until.ts';

describe('What is written together:', () => {
  const stack = useStack({ workers: false });
  let tenants: TestTenant[];
  before(async () => {
    tenants = [stack.tenant, await stack.newTenant()];
  });
  let enqueued: Job[];
  const enqueue = (...jobs: Job[]) => void enqueued.push(...jobs);
  beforeEach(() => {
    enqueued = [];
  });

  describe('charges that are asked for at one moment', () => {
    const writer = () => createChargeWriter({ sql: stack.context.db, enqueue });

    interface Wanted {
      of?: TestTenant;
      secret?: string;
      email?: string;
      key?: string;
    }

    const requested = ({ of = tenants[0]!, ...wanted }: Wanted = {}): ChargeRequest => {
      const now = stack.clock();
      const { secret = of.secret_key_test, email = 'ada@mail.example', key } = wanted;
      const idempotency = key ? { scope: 'POST /charges', key, bodySha256: 'body' } : undefined;
      const asker: Asker = {
        ...{ sha256: sha256Of(secret), roles: ['secret'], origin: null },
        idempotency,
      };
      const charge = {
        ...blankCharge,
        ...{ id: newId('txn', now), mode: 'test' as const, amount_kobo: 100_000, currency: 'NGN' },
        ...{ email, metadata: { of: of.tenant_id }, provider_wanted: 'auto' as const },
        expires_at: now,
      };
      return { asker, charge, answerTemplate: '"\u0001"', now };
    };
    const written = async (requests: readonly ChargeRequest[]) =>
      stack.sql<{
        id: string;
        tenant_id: string;
        number: number;
        email: string;
      }>`select c.id, c.tenant_id, c.number, c.email, c.metadata->>'of' as of, a.id as attempt
         from charges c join attempts a on a.charge_id = c.id where c.id = any(${requests.map(({ charge }) => charge.id)}) order by c.id`;

    it('share a statement, and each has its own tenant, number, answer and job', async () => {
      const requests = Array.from({ length: 6 }, (_, n) =>
        requested({ of: tenants[n % 2]!, email: `payer-${n}@mail.example`, key: `six-${n}` }),
      );
      let created: Awaited<ReturnType<ReturnType<typeof writer>>>[] = [];
      const statements = await statementsOf(stack, async () => {
        created = await Promise.all(requests.map(writer()));
      });
      expect(statements).to.have.length(1);
      const rows = await written(requests);
      expect(rows.map(({ id }) => id)).to.have.members(requests.map(({ charge }) => charge.id));
      for (const [n, { charge }] of requests.entries()) {
        const row = rows.find(({ id }) => id === charge.id)!;
        const { tenant_id: tenantId } = tenants[n % 2]!;
        const email = `payer-${n}@mail.example`;
        expect(row).to.include({ tenant_id: tenantId, of: tenantId, email });
        expect(created[n]).to.deep.include({ tenantId, answer: `"SV-${row.number}"` });
        expect(enqueued[n]).to.include({ queue: 'charge-create', id: created[n]!.attemptId });
      }
      const answers = await stack.sql<{
        tenant_id: string;
        key: string;
        answer: string;
      }>`select tenant_id, key, answer from idempotency_keys where key like 'six-%' order by key`;
      expect(answers).to.deep.equal(
        created.map(({ tenantId, answer }, n) => ({
          tenant_id: tenantId,
          key: `six-${n}`,
          answer,
        })),
      );
    });

    it('that PostgreSQL refuses are refused alone: the others are written, once', async () => {
      const bad = requested({ email: 'zero\u0000@mail.example', key: 'bad' });
      const good = [requested({ key: 'good' }), requested({ of: tenants[1]! })];
      const outcomes = await Promise.allSettled([good[0]!, bad, good[1]!].map(writer()));
      const statuses = outcomes.map(({ status }) => status);
      expect(statuses).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect(await written([...good, bad])).to.have.length(2);
      const [{ keys }] = (await stack.sql<{ keys: string[] }>`select array_agg(key) as keys
        from idempotency_keys where key in ('bad', 'good')`) as [{ keys: string[] }];
      expect(keys).to.deep.equal(['good']);
    });

    it('whose outcome is not known are not written again', async () => {
      let asked = 0;
      const query = () => {
        asked += 1;
        return Promise.reject(new Error('Connection terminated unexpectedly'));
      };
      const write = createChargeWriter({ sql: { query }, enqueue });
      const outcomes = await Promise.allSettled([requested(), requested()].map(write));
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      expect(asked).to.equal(1);
      expect(enqueued).to.deep.equal([]);
    });

    it('of one writer wait no longer for a statement that takes long', async () => {
      const released = Promise.withResolvers<void>();
      let asked = 0;
      const query: Sql['query'] = async (text, values) => {
        asked += 1;
        if (asked === 1) await released.promise;
        return stack.context.db.query(text, values);
      };
      const slowFirst = createChargeWriter({ sql: { query }, enqueue }, 1);
      const slow = slowFirst(requested());
      await until('the first statement', async () => asked === 1);
      expect((await slowFirst(requested({ of: tenants[1]! }))).answer).to.be.a('string');
      released.resolve();
      expect((await slow).answer).to.be.a('string');
    });

    it('by several processes, under the same keys in any order, do not wait for each other', async () => {
      const keys = Array.from({ length: 100 }, (_, n) => `shared-${n}`);
      const orders = [keys, keys.toReversed(), keys.toSorted(), keys.toSorted().toReversed()];
      const created = await Promise.all(
        orders.map((order) => Promise.all(order.map((key) => requested({ key })).map(writer()))),
      );
      for (const ofProcess of created)
        for (const { tenantId } of ofProcess) expect(tenantId).to.equal(tenants[0]!.tenant_id);
      expect(created.flat().filter(({ answer }) => answer !== null)).to.have.length(keys.length);
    });

    it('with the same idempotency key are one charge of each tenant', async () => {
      const requests = [
        requested({ key: 'same' }),
        requested({ key: 'same' }),
        requested({ of: tenants[1]!, key: 'same' }),
      ];
      const created = await Promise.all(requests.map(writer()));
      expect(created.map(({ answer }) => answer !== null)).to.deep.equal([true, false, true]);
      const { tenant_id: tenantId } = tenants[0]!;
      expect(created[1]).to.include({ tenantId, isConnected: true, attemptId: null });
      expect(await written(requests)).to.have.length(2);
    });

    it('and that nobody may ask for, or no provider serves, are not written beside others', async () => {
      const requests = [
        requested({ secret: 'sk_test_of_nobody' }),
        requested(),
        requested({ of: await stack.newTenant({ connected: false }), key: 'unserved' }),
      ];
      const [unknown, good, unserved] = await Promise.all(requests.map(writer()));
      expect(unknown).to.include({ tenantId: null, answer: null, attemptId: null });
      expect(good!.answer).to.be.a('string');
      expect(unserved).to.include({ isConnected: false, answer: null, attemptId: null });
      expect((await written(requests)).map(({ id }) => id)).to.deep.equal([requests[1]!.charge.id]);
    });
  });

  describe('notifications that come at one moment', () => {
    beforeEach(() => stack.sql`delete from notifications`);

    const writer = () => {
      const { db, vault } = stack.context;
      return createNotificationWriter({ sql: db, vault, enqueue }, stack.clock);
    };
    const connections = async () => {
      const rows = await stack.sql<{ id: string }>`select id from connections
        where slot = 'provider_a' and mode = 'test' order by id`;
      const ids = rows.map(({ id }) => id);
      return (await findConnections(stack.context.db, ids)) as Arrival['connection'][];
    };
    const arrivalOf = (connection: Arrival['connection'], text: string): Arrival => ({
      connection,
      notification: {
        ...{ event: 'charge.success', about: 'payment' as const },
        references: [`SV-${text}`, 'SV-{"1,2"}\\'],
        paymentIds: text === 'none' ? [] : [text],
      },
      body: Buffer.from(text),
      sha256: sha256Of(text),
    });
    const stored = () => stack.sql<Record<string, any>>`select * from notifications order by id`;

    it('share a statement, and each is stored for its connection, with its own names and job', async () => {
      const [one, other] = await connections();
      const write = writer();
      const arrivals = [arrivalOf(one!, 'a'), arrivalOf(other!, 'a'), arrivalOf(one!, 'none')];
      let taken: Awaited<ReturnType<typeof write>>[] = [];
      const statements = await statementsOf(stack, async () => {
        taken = await Promise.all(arrivals.map(write));
      });
      expect(statements).to.have.length(1);
      const rows = new Map((await stored()).map((row) => [row.id, row]));
      expect(rows.size).to.equal(3);
      for (const [n, { connection, notification, body }] of arrivals.entries()) {
        const { id, repeated } = taken[n]!;
        const row = rows.get(id)!;
        expect(repeated).to.equal(false);
        expect(enqueued[n]).to.include({ id, group: connection.id });
        expect(row).to.deep.include({
          connection_id: connection.id,
          payment_references: notification.references,
          payment_ids: notification.paymentIds,
        });
        expect(openBody(stack.context.vault, connection, row.body)).to.equal(body.toString());
      }
    });

    it('are stored once where one body comes twice', async () => {
      const [one] = await connections();
      const write = writer();
      const taken = await Promise.all([1, 2, 3].map(() => write(arrivalOf(one!, 'same'))));
      expect(new Set(taken.map(({ id }) => id)).size).to.equal(1);
      expect(taken.map(({ repeated }) => repeated)).to.deep.equal([false, true, true]);
      expect(enqueued).to.have.length(1);
      expect(await stored()).to.have.length(1);
    });

    it('that PostgreSQL refuses fail alone', async () => {
      const [one] = await connections();
      const write = writer();
      const bad = arrivalOf(one!, 'bad');
      bad.notification.about = 'nothing' as 'other';
      const taken = await Promise.allSettled([write(bad), write(arrivalOf(one!, 'good'))]);
      expect(taken.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
      expect(await stored()).to.have.length(1);
    });

    it('by several processes, in any order, do not wait for each other', async () => {
      const [one, other] = await connections();
      const arrivals = Array.from({ length: 60 }, (_, n) =>
        arrivalOf(n % 2 === 0 ? one! : other!, String(n)),
      );
      const taken = await Promise.all(
        [arrivals, arrivals.toReversed(), arrivals, arrivals.toReversed()].map((order) =>
          Promise.all(order.map(writer())),
        ),
      );
      expect(taken.flat().filter(({ repeated }) => !repeated)).to.have.length(60);
      expect(await stored()).to.have.length(60);
    });
  });
});
