import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { Client } from 'pg';
import { queues as specs } from '../../../domain/jobs.ts';
import { findDueGroups } from '../../../domain/shared/due-groups.ts';
import { MINUTE } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { startWorkerProcess } from '../../support/kill.ts';
import { GENUINE, verified } from '../../support/merchant-server.ts';
import { emptyQueues, resetStack } from '../../support/reset-stack.ts';
import { type Stack, useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type Listener, openListener } from './fixture.ts';

const QUEUE = 'webhook-deliver';

describeOnEachQueue('A webhook whose worker is killed with -9', (queues) => {
  const stack = useStack({ queues, workers: false });
  let listener: Listener;
  let workers: AsyncDisposable | undefined;
  beforeEach(async () => {
    listener = await openListener(stack);
  });
  afterEach(async () => {
    await workers?.[Symbol.asyncDispose]();
    await emptyQueues(stack);
    await resetStack(stack);
    await stack.context.db.query('update connection_tasks set due_at = null'); // made by a killed process
    await listener[Symbol.asyncDispose]();
  });

  const deliveredByOthers = async () => {
    const { context, clock } = stack;
    const due = await findDueGroups(context.db, QUEUE, clock(), { after: '', limit: 1 });
    expect(due.groups, 'before its lease is over').to.deep.equal([]);
    stack.clock.advance(specs[QUEUE].leaseMs + MINUTE);
    workers = stack.startWorkers(QUEUE);
    // The killed job counts as active for a while, so the queues are not idle: the row is looked at
    // instead.
    return until('the delivery', async () => {
      await stack.sweep();
      const delivery = await listener.delivery();
      return delivery.status !== 'pending' && delivery;
    });
  };
  const log = (tries: any[]) => tries.map((made) => [made.try, made.status_code, made.answer]);
  const expectSameTwice = () => {
    const [first, second] = listener.server.arrivals;
    expect(second!.body).to.equal(first!.body);
    expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id']);
    for (const arrival of [first!, second!])
      expect(verified(arrival, listener.secret)).to.deep.equal(GENUINE);
  };

  it('arrives when the lease is over, if it was not sent yet', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const connected = once(mute, 'connection') as Promise<[Socket]>;
    const { port } = mute.address() as { port: number };
    const { patch } = await listener.signedIn();
    await patch(`/webhook-endpoints/${listener.endpointId}`, {
      url: `https://127.0.0.1:${port}/hook`,
    });
    const [event] = await listener.publishEvents();
    const worker = startWorkerProcess(stack);
    const [socket] = await connected;
    await worker.kill();
    socket.destroy();
    mute.close();
    await patch(`/webhook-endpoints/${listener.endpointId}`, { url: listener.server.url });
    expect(await listener.delivery()).to.deep.include({
      status: 'pending',
      try_count: 0,
      tries: [],
    });

    const { status, tries } = await deliveredByOthers();
    expect(status).to.equal('delivered');
    expect(listener.arrived()).to.deep.equal([event]);
    expect(log(tries)).to.deep.equal([[1, 200, '']]);
  });

  for (const when of ['had not answered', 'had answered and that was not recorded'] as const)
    it(`arrives again, byte for byte, when the lease is over, if the endpoint had it and ${when}`, async () => {
      const requests = listener.keepRequestsOpen();
      const [event] = await listener.publishEvents();
      const worker = startWorkerProcess(stack);
      await until('the arrival', async () => requests.open > 0);
      await using record = await withholdRecords(stack);
      if (when !== 'had not answered') {
        requests.answer(202);
        await until('the record', record.isAwaited);
      }
      await worker.kill();
      await record.drop();
      listener.answers(200);

      const { status, tries } = await deliveredByOthers();
      expect(status).to.equal('delivered');
      expect(listener.arrived()).to.deep.equal([event, event]);
      expectSameTwice();
      expect(log(tries), 'no process recorded the first try').to.deep.equal([[1, 200, 'noted']]);
    });
});

/**
 * Blocks the recording of tries until `drop`, which ends the statements that wait: PostgreSQL would
 * otherwise still run what a killed process sent.
 */
async function withholdRecords({ context }: Stack) {
  const client = new Client({ connectionString: context.env.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table delivery_tries in share row exclusive mode');
  const WAITING = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into delivery_tries%'`;
  return {
    isAwaited: async () => (await context.db.query(`select pid ${WAITING}`)).length > 0,
    drop: async () => {
      await context.db.query(`select pg_terminate_backend(pid, 5000) ${WAITING}`);
      await client.query('rollback');
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
