import { expect } from 'chai';
import { HOUSEKEEPING } from '../../domain/jobs.ts';
import { runHousekeeping, startHousekeeping } from '../../workers/housekeeping.ts';
import { newCharge, openCharge } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { expectError } from '../support/contract.ts';
import { addDelivery, addEndpoint } from '../support/deliveries.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { memberOf } from '../support/members.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { refresh, signIn } from '../support/tokens.ts';
import { until } from '../support/until.ts';

describe('Housekeeping', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack();
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const rows = async () => ({
    idempotency_keys: await stack.count('idempotency_keys'),
    notifications: await stack.count('notifications'),
    delivery_tries: await stack.count('delivery_tries'),
    deliveries: await stack.count('deliveries'),
    evidence: await stack.count('evidence'),
  });

  it('drops rows past the retention of their table', async () => {
    await stack.api.post(
      '/charges',
      { amount_kobo: 10_000, email: 'a@b.example' },
      { idempotencyKey: 'k' },
    );
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const all = {
      idempotency_keys: 1,
      notifications: 1,
      delivery_tries: 1,
      deliveries: 1,
      evidence: 1,
    };
    expect(await rows()).to.deep.equal(all);
    stack.clock.advance(7 * DAY - HOUR);
    await runHousekeeping(stack.context);
    expect(await rows()).to.deep.equal(all);
    stack.clock.advance(2 * HOUR);
    expect((await runHousekeeping(stack.context)).changed).to.include({ idempotency_keys: 1 });
    stack.clock.advance(23 * DAY);
    await runHousekeeping(stack.context);
    const longKept = { idempotency_keys: 0, notifications: 0, delivery_tries: 0, evidence: 1 };
    expect(await rows()).to.deep.equal({ ...longKept, deliveries: 1 });
    stack.clock.advance(60 * DAY);
    await runHousekeeping(stack.context);
    expect(await rows()).to.deep.equal({ ...longKept, deliveries: 0 });
    stack.clock.advance(311 * DAY);
    await runHousekeeping(stack.context);
    expect(await rows()).to.deep.include({ evidence: 0 });
    expect(await stack.count('charges'), 'charges stay').to.equal(2);
  });

  it('keeps a deleted endpoint as long as its deliveries, and never drops a pending delivery', async () => {
    const { context, clock, tenant } = stack;
    const { token: key } = await memberOf(stack, tenant, 'owner');
    const [gone, unused] = [await addEndpoint(stack), await addEndpoint(stack)];
    await addDelivery(stack, { endpointId: gone });
    const waiting = await addDelivery(stack, { status: 'pending' });
    for (const id of [gone, unused])
      expect(
        (await stack.api.send('DELETE', `/webhook-endpoints/${id}`, undefined, { key })).status,
      ).to.equal(200);
    clock.advance(89 * DAY);
    await runHousekeeping(context);
    expect(await stack.count(`webhook_endpoints where deleted_at is not null`)).to.equal(2);
    clock.advance(2 * DAY);
    await runHousekeeping(context);
    await runHousekeeping(context); // an endpoint goes after its deliveries
    expect(await stack.count(`webhook_endpoints where deleted_at is not null`)).to.equal(0);
    expect(await stack.count(`deliveries where id = '${waiting}'`)).to.equal(1);
  });

  it('keeps an answer that shows a secret for a day, and its key and other answers for a week', async () => {
    const { api, clock, context, tenant } = stack;
    const { token: key } = await memberOf(stack, tenant, 'owner');
    await api.post('/api-keys', { kind: 'secret' }, { key, idempotencyKey: 'secret' });
    await api.post(
      '/charges',
      { amount_kobo: 10_000, email: 'a@b.example' },
      { idempotencyKey: 'plain' },
    );
    const stored = async () =>
      (
        await context.db.query<{ key: string; is_kept: boolean }>(
          'select key, answer is not null as is_kept from idempotency_keys order by key',
        )
      ).map((row) => [row.key, row.is_kept]);
    clock.advance(DAY - HOUR);
    await runHousekeeping(context);
    expect(await stored()).to.deep.equal([
      ['plain', true],
      ['secret', true],
    ]);
    clock.advance(2 * HOUR);
    await runHousekeeping(context); // whose count is not looked at: the schedule may have been first
    expect(await stored()).to.deep.equal([
      ['plain', true],
      ['secret', false],
    ]);
    clock.advance(6 * DAY);
    await runHousekeeping(context);
    expect(await stored()).to.deep.equal([]);
  });

  it('does not replay a secret past its day, erased or not, and makes nothing a second time', async () => {
    const { api, clock, context, tenant } = stack;
    const created = async () => {
      const { token: key } = await memberOf(stack, tenant, 'owner');
      return api.post('/api-keys', { kind: 'secret' }, { key, idempotencyKey: 'secret' });
    };
    const first = await created();
    clock.advance(DAY - HOUR);
    expect((await created()).json).to.deep.equal(first.json);
    clock.advance(2 * HOUR);
    const keys = await stack.count('api_keys');
    expectError(await created(), 409, 'idempotency_conflict');
    await runHousekeeping(context);
    expectError(await created(), 409, 'idempotency_conflict');
    expect(await stack.count('api_keys')).to.equal(keys);
  });

  it('erases the tokens stored for a repeated exchange when nobody can repeat it any more', async () => {
    const { context, clock, tenant } = stack;
    const stored = () => stack.count('user_tokens where exchanged_for is not null');
    const first = await signIn(stack, tenant.owner);
    await refresh(stack, first.refresh_token);
    expect(await stored()).to.equal(1);
    await runHousekeeping(context);
    expect(await stored()).to.equal(1);
    clock.advance(2 * MINUTE);
    await runHousekeeping(context);
    expect(await stored()).to.equal(0);
  });

  it('drops tokens and sign-ins when they expire, set-password links a week later, and nothing valid', async () => {
    const { context, clock, tenant } = stack;
    const rows = async () => ({
      access: await stack.count(`user_tokens where kind = 'access'`),
      refresh: await stack.count(`user_tokens where kind = 'refresh'`),
      families: await stack.count('token_families'),
      links: await stack.count('member_links'),
    });
    const first = await signIn(stack, tenant.owner);
    await stack.api.post(
      '/members',
      { email: 'ada@test.example', role: 'viewer' },
      { key: first.access_token },
    );
    expect((await refresh(stack, first.refresh_token)).status).to.equal(200);
    await runHousekeeping(context);
    expect(await rows()).to.deep.equal({ access: 2, refresh: 2, families: 1, links: 1 });
    clock.advance(7 * DAY + HOUR);
    await signIn(stack, tenant.owner);
    await runHousekeeping(context);
    expect(await rows(), 'used refresh tokens stay, so that reuse is detected').to.deep.equal({
      access: 1,
      refresh: 3,
      families: 2,
      links: 1,
    });
    clock.advance(DAY);
    await runHousekeeping(context);
    expect(await rows()).to.deep.equal({ access: 0, refresh: 3, families: 2, links: 0 });
    clock.advance(22 * DAY);
    await runHousekeeping(context);
    expect(await rows()).to.deep.equal({ access: 0, refresh: 1, families: 1, links: 0 });
  });

  it('fails an overdue charge once when it runs twice at once', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    await stack.context.db.query("update connections set credentials = 'unreadable.x'"); // nothing is ever sent
    await newCharge(stack);
    await stack.context.db.query('update attempts set sent_at = null, due_at = null');
    stack.clock.advance(25 * HOUR);
    await Promise.all([runHousekeeping(stack.context), runHousekeeping(stack.context)]);
    expect(await stack.count("events where type = 'charge.failed'")).to.equal(1);
  });
});

describe('Housekeeping in which something fails', () => {
  // Without workers, whose own schedule would run it too, and nothing would fail there.
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ workers: false });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  it('goes on with its other rules, and deletes secrets in any case', async () => {
    const { api, clock, context, tenant } = stack;
    const { token: key } = await memberOf(stack, tenant, 'owner');
    await api.post('/api-keys', { kind: 'secret' }, { key, idempotencyKey: 'secret' });
    await newCharge(stack);
    await context.db.query('update attempts set sent_at = null, due_at = null');
    clock.advance(25 * HOUR);
    const { db } = context;
    const isDown = (sql: string) => /payment_links|figure_changes|notifications/.test(sql);
    const query: typeof db.query = async (text, values) => {
      if (isDown(text)) throw new Error('this table is away');
      return db.query(text, values);
    };
    const { changed, failed } = await runHousekeeping({ ...context, db: { ...db, query } });
    expect(failed).to.have.members(['expired_links', 'folded_figures', 'notifications']);
    expect(await stack.count('idempotency_keys where sealed')).to.equal(0);
    expect(changed).to.have.property('connection_tasks');
    expect(await stack.count("charges where status = 'failed'")).to.equal(1);
  });

  it('expires every other charge whose time is over', async () => {
    const { context, clock } = stack;
    for (let made = 0; made < 3; made++) await newCharge(stack);
    await context.db.query(`update attempts set status = 'queued', sent_at = null, due_at = null;`);
    const [spoilt] = await context.db.query<{ id: string }>('select id from charges order by id');
    clock.advance(25 * HOUR);
    const inTx: typeof context.inTx = (work) =>
      context.inTx(async (tx) => {
        const { query } = tx.sql;
        const spoiling: typeof query = async (text, values) => {
          if (values?.[0] === spoilt!.id && text.startsWith('select * from charges'))
            throw new Error('this charge cannot be read');
          return query(text, values);
        };
        return work({ ...tx, sql: { query: spoiling } });
      });
    await runHousekeeping({ ...context, inTx });
    expect(await stack.count("charges where status = 'failed'")).to.equal(2);
  });
});

describeOnEachQueue('The housekeeping schedule', (queues) => {
  it('runs its job to the end', async () => {
    await using stack = await startStack({ queues, sweeps: true });
    const queue = stack.context.queues.all.get(HOUSEKEEPING)!;
    await until(
      'the first run',
      async () => (await queue.getCompletedCount()) + (await queue.getFailedCount()) > 0,
    );
    expect(await queue.getFailedCount()).to.equal(0);
  });

  it('is logged as a failed job where a rule failed, never as a completed one', async () => {
    await using stack = await startStack({ queues, workers: false });
    const { context } = stack;
    const query: typeof context.db.query = async (text, values) => {
      if (text.includes('payment_links')) throw new Error('this table is away');
      return context.db.query(text, values);
    };
    const lines: Record<string, unknown>[] = [];
    const note = (level: string) => (message: string, fields: object) =>
      void lines.push({ level, message, ...fields });
    const log = {
      ...context.log,
      info: note('info'),
      error: note('error'),
    } as unknown as typeof context.log;
    const pool = startHousekeeping(
      { ...context, log, db: { ...context.db, query } },
      { schedules: false },
    );
    const queue = context.queues.all.get(HOUSEKEEPING)!;
    await queue.add(HOUSEKEEPING, {});
    await until('the failed run', async () => (await queue.getFailedCount()) > 0);
    await pool.close();
    const [ended, ...more] = lines.filter(({ queue }) => queue === HOUSEKEEPING);
    expect(ended).to.include({ level: 'error', message: 'job failed', outcome: 'failed' });
    expect(ended).to.deep.include({ rules: ['expired_links'] });
    expect(more).to.deep.equal([]);
  });
});
