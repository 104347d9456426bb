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
import { type Stack, useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type Listener, openListener } from './fixture.ts';

const QUEUE = 'webhook-deliver';

describeOnEachQueue('Webhooks whose worker is killed with -9', (queues) => {
  const stack = useStack({ queues, workers: false });
  const scope = new AsyncDisposableStack();
  let [unsent, unanswered, unrecorded] = [] as unknown as [Listener, Listener, Listener];
  const events: string[] = [];
  before(async () => {
    const open = async () => scope.use(await openListener(stack));
    [unsent, unanswered, unrecorded] = [await open(), await open(), await open()];
    const [unansweredRequests, unrecordedRequests] = [
      unanswered.keepRequestsOpen(),
      unrecorded.keepRequestsOpen(),
    ];
    const mute = createServer().listen(0, '127.0.0.1');
    scope.defer(() => void mute.close());
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    await unsent.change({ url: `https://127.0.0.1:${port}/hook` });
    for (const listener of [unsent, unanswered, unrecorded])
      events.push(...(await listener.publishEvents()));

    const connected = once(mute, 'connection') as Promise<[Socket]>;
    const worker = startWorkerProcess(stack);
    const [socket] = await connected;
    const areOpen = async () => unansweredRequests.open > 0 && unrecordedRequests.open > 0;
    await until('the arrivals', areOpen);
    await using record = await withholdRecords(stack);
    unrecordedRequests.answer(202);
    await until('the record', record.isAwaited);
    await worker.kill();
    socket.destroy();
    await record.drop();
    await unsent.change({ url: unsent.server.url });
    for (const listener of [unsent, unanswered, unrecorded]) {
      listener.answers(200);
      const untried = { status: 'pending', try_count: 0, tries: [] };
      expect(await listener.delivery()).to.deep.include(untried);
    }
  });
  after(() => scope.disposeAsync());

  it('arrive when the lease is over, and not before', async () => {
    const due = await findDueGroups(stack.context.db, [QUEUE], stack.clock(), {
      limit: 1,
    });
    expect(
      [...due.values()].flatMap(({ groups }) => groups),
      'before its lease is over',
    ).to.deep.equal([]);
    stack.clock.advance(specs[QUEUE].leaseMs + MINUTE);
    stack.startWorkers(QUEUE);
    for (const listener of [unsent, unanswered, unrecorded]) {
      // The killed job counts as active for a while, so the queues are not idle: the row is looked at
      // instead.
      const { status, tries } = await until('the delivery', async () => {
        await stack.sweep();
        const delivery = await listener.delivery();
        return delivery.status !== 'pending' && delivery;
      });
      expect(status).to.equal('delivered');
      expect(tries, 'no process recorded the first try').to.have.length(1);
      expect(tries[0]).to.include({ try: 1, status_code: 200, answer: 'noted' });
    }
    expect(unsent.arrived()).to.deep.equal([events[0]]);
  });

  it('arrive again, byte for byte, if the endpoint had them, whether it had answered or not', () => {
    for (const [n, listener] of [unanswered, unrecorded].entries()) {
      expect(listener.arrived()).to.deep.equal(Array(2).fill(events[n + 1]));
      const [first, second] = listener.server.arrivals;
      expect(second!.body).to.equal(first!.body);
      expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id']);
      for (const arrival of [first!, second!])
        expect(verified(arrival, listener.secret)).to.deep.equal(GENUINE);
    }
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
