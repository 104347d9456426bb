import { expect } from 'chai';
import { HOUSEKEEPING } from '../../domain/jobs.ts';
import { runHousekeeping, startHousekeeping } from '../../workers/housekeeping.ts';
import { newCharge } from '../support/charges.ts';
import { DAY, HOUR } from '../support/clock.ts';
import { expectError } from '../support/contract.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { memberOf } from '../support/members.ts';
import { type Stack, useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** The statements of a context that match fail. */
function withoutTables<Of extends Stack['context']>(context: Of, tables: RegExp): Of {
  const query: Of['db']['query'] = async (text, values) => {
    if (tables.test(text)) throw new Error('this table is away');
    return context.db.query(text, values);
  };
  return { ...context, db: { ...context.db, query } };
}

describe('Housekeeping', () => {
  // Without workers, whose own schedule would run it too.
  const stack = useStack({ workers: false, newTenants: true });
  afterEach(() => stack.sql`update attempts set due_at = null, status = 'cancelled'`);

  const createKey = async () => {
    const { token: key } = await memberOf(stack, stack.tenant, 'owner');
    return stack.api.post('/api-keys', { kind: 'secret' }, { key, idempotencyKey: 'secret' });
  };
  const neverSent = () => stack.sql`update attempts set sent_at = null, due_at = null`;
  const failed = async () =>
    (
      await stack.sql`select from charges where status = 'failed'
      and tenant_id = ${stack.tenant.tenant_id}`
    ).length;

  it('applies every rule of retention', async () => {
    const { changed } = await runHousekeeping(stack.context);
    expect(changed).to.include.keys([
      ...['idempotency_keys', 'user_tokens', 'token_families', 'member_links', 'notifications'],
      ...['listed_refunds', 'webhook_endpoints', 'request_log', 'evidence', 'delivery_tries'],
      ...['deliveries', 'events_partitions', 'deliveries_partitions', 'evidence_partitions'],
    ]);
    const between = await runHousekeeping(stack.context, { retains: false });
    expect(between.changed).to.include.keys(['expired_charges', 'connection_tasks']);
    expect(between.changed, 'what may wait').to.not.have.any.keys('deliveries', 'request_log');
  });

  it('keeps an answer that shows a secret for a day, its key, which makes nothing a second time, and other answers for a week', async () => {
    const { clock, context } = stack;
    await createKey();
    const charge = { amount_kobo: 10_000, email: 'a@b.example' };
    await stack.api.post('/charges', charge, { idempotencyKey: 'plain' });
    const kept = async () =>
      (
        await stack.sql`select key || case when answer is null then ' erased' else '' end as key
          from idempotency_keys where tenant_id = ${stack.tenant.tenant_id} order by key`
      ).map(({ key }) => key);
    clock.advance(DAY - HOUR);
    await runHousekeeping(context);
    expect(await kept()).to.deep.equal(['plain', 'secret']);
    clock.advance(2 * HOUR);
    expectError(await createKey(), 409, 'idempotency_conflict');
    await runHousekeeping(context);
    expect(await kept()).to.deep.equal(['plain', 'secret erased']);
    expectError(await createKey(), 409, 'idempotency_conflict');
    clock.advance(6 * DAY);
    await runHousekeeping(context);
    expect(await kept()).to.deep.equal([]);
  });

  it('fails an overdue charge once when it runs twice at once', async () => {
    const { reference } = await newCharge(stack);
    await neverSent();
    stack.clock.advance(25 * HOUR);
    await Promise.all([runHousekeeping(stack.context), runHousekeeping(stack.context)]);
    const told = await stack.sql`select from events where type = 'charge.failed' and subject_id =
      (select id from charges where number = ${Number(reference.slice(3))})`;
    expect(told).to.have.length(1);
  });

  it('goes on with its other rules where some fail, and deletes secrets in any case', async () => {
    await createKey();
    await newCharge(stack);
    await neverSent();
    stack.clock.advance(25 * HOUR);
    const context = withoutTables(stack.context, /payment_links|figure_changes|notifications/);
    const run = await runHousekeeping(context);
    expect(run.failed).to.have.members(['expired_links', 'folded_figures', 'notifications']);
    expect(await stack.count('idempotency_keys where sealed')).to.equal(0);
    expect(run.changed).to.have.property('connection_tasks');
    expect(await failed()).to.equal(1);
  });

  it('expires every other charge whose time is over, where one cannot be read', async () => {
    const { context, clock } = stack;
    for (let made = 0; made < 3; made++) await newCharge(stack);
    await neverSent();
    const [spoilt] = await stack.sql`select id from charges order by id desc limit 1`;
    clock.advance(25 * HOUR);
    const inTx: typeof context.inTx = (work) =>
      context.inTx(async (tx) => {
        const query: typeof tx.sql.query = async (text, values) => {
          if ([values?.[0]].flat().includes(spoilt.id) && text.startsWith('select * from charges'))
            throw new Error('this charge cannot be read');
          return tx.sql.query(text, values);
        };
        return work({ ...tx, sql: { query } });
      });
    await runHousekeeping({ ...context, inTx });
    expect(await failed()).to.equal(2);
  });
});

describeOnEachQueue('The housekeeping schedule', (queues) => {
  const stack = useStack({ queues, workers: false, sweeps: true });

  it('runs its job to the end', async () => {
    await using _workers = stack.startWorkers();
    const queue = stack.context.queues.all.get(HOUSEKEEPING)!;
    const ended = async () =>
      (await queue.getCompletedCount()) + (await queue.getFailedCount()) > 0;
    await until('the first run', ended);
    expect(await queue.getFailedCount()).to.equal(0);
  });

  it('is logged as a failed job where a rule failed, never as a completed one', async () => {
    const { context } = stack;
    const lines: Record<string, unknown>[] = [];
    const note = (level: string) => (message: string, fields: object) =>
      void lines.push({ level, message, ...fields });
    const log = { ...context.log, info: note('info'), error: note('error') } as never;
    const failing = withoutTables({ ...context, log }, /payment_links/);
    const pool = startHousekeeping(failing, { schedules: false });
    const queue = context.queues.all.get(HOUSEKEEPING)!;
    await queue.add(HOUSEKEEPING, {});
    await until('the failed run', async () => (await queue.getFailedCount()) > 0);
    await pool.close();
    const [ended, ...more] = lines.filter(({ queue }) => queue === HOUSEKEEPING);
    expect(ended).to.include({ level: 'error', message: 'job failed', outcome: 'failed' });
    expect(ended).to.deep.include({ rules: ['expired_links'] });
    expect(more).to.deep.equal([]);
  });

  it('deletes what is old again in the next run only where this one left something', async () => {
    const { context } = stack;
    const runs: boolean[] = [];
    const note = (_: string, fields: object) => void runs.push('request_log' in fields);
    const log = { ...context.log, info: note, error: () => {} } as never;
    let isBroken = true;
    const query: typeof context.db.query = async (text, values) => {
      if (isBroken && /from request_log/.test(text)) throw new Error('this table is away');
      return context.db.query(text, values);
    };
    const db = { ...context.db, query };
    const pool = startHousekeeping({ ...context, db, log }, { schedules: false });
    const queue = context.queues.all.get(HOUSEKEEPING)!;
    const run = async () => {
      const counted = async () =>
        (await queue.getCompletedCount()) + (await queue.getFailedCount());
      const before = await counted();
      await queue.add(HOUSEKEEPING, {});
      await until('the end of a run', async () => (await counted()) > before);
    };
    await run();
    isBroken = false;
    await run();
    await run();
    await pool.close();
    expect(runs, 'those that failed are not in it').to.deep.equal([true, false]);
  });
});
