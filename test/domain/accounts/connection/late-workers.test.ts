import { expect } from 'chai';
import {
  findConnection,
  recordCredentials,
  recordPause,
} from '../../../../domain/accounts/connection/connection.ts';
import {
  type ClaimedTask,
  ensureConnectionTasks,
  makeTaskDueBy,
  recordRounds,
  startTaskNow,
} from '../../../../domain/accounts/connection/tasks.ts';
import { connectionTasks } from '../../../../domain/providers/registry.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { HOUR, MINUTE } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { useLedgerForEach } from '../../ledger.ts';

const TASK = 'disputes';

describe('A connection that two workers have', () => {
  const ledger = useLedgerForEach();
  let id: string;
  beforeEach(async () => {
    id = ledger.connections[0]!;
    await giveTasks();
  });

  const giveTasks = (sql = ledger.db as Parameters<typeof ensureConnectionTasks>[0]['sql']) =>
    ensureConnectionTasks({ sql, now: ledger.clock() }, connectionTasks(), 10);
  const task = async () =>
    (await ledger.rows('select * from connection_tasks where task = $1', TASK))[0]!;
  const claim = async () =>
    (await claimRow<ClaimedTask>(ledger.db, 'dispute-check', await task(), ledger.clock()))!;
  const inHours = (hours: number) => new Date(ledger.clock().getTime() + hours * HOUR);
  const end = (claimed: ClaimedTask, dueAt: Date) =>
    recordRounds(ledger.db, [{ task: claimed, progress: null, doneAt: ledger.clock(), dueAt }]);
  const start = () => ledger.tx((tx) => startTaskNow(tx, id, TASK));

  it('keeps its task as the second claimed it, when the first ends its round late', async () => {
    const stale = await claim();
    ledger.clock.advance(HOUR);
    await claim();
    const before = await task();
    await end(stale, inHours(1));
    expect(await task()).to.deep.equal(before);
  });

  it('keeps its task due, when it was made due while the round was under way', async () => {
    const claimed = await claim();
    const dueAt = ledger.clock();
    await ledger.rows('update connection_tasks set due_at = $2 where id = $1', claimed.id, dueAt);
    await end(claimed, inHours(1));
    expect((await task()).due_at).to.deep.equal(dueAt);
  });

  it('has its task enqueued once, when both start it', async () => {
    await end(await claim(), inHours(1));
    expect(await start()).to.have.length(1);
    expect(await start()).to.deep.equal([]);
  });

  it('has its task due at the sooner of two times, whichever is said last', async () => {
    await end(await claim(), inHours(3));
    const [sooner, later] = [inHours(1), inHours(2)];
    for (const dueAt of [sooner, later])
      await ledger.tx((tx) => makeTaskDueBy(tx, id, TASK, dueAt));
    expect((await task()).due_at).to.deep.equal(sooner);
  });

  it('gets each task once, when both give it what it lacks at one moment', async () => {
    await ledger.rows('delete from connection_tasks');
    await ledger.rows(`update connections set tasks = ''`);
    await whileHeld({ context: ledger }, giveTasks, () => [giveTasks()]);
    const [{ twice }] = await ledger.rows(
      'select count(*) - count(distinct task) as twice from connection_tasks',
    );
    expect(twice).to.equal(0);
  });

  it('is not said to be refused, when the first reports that of credentials which were replaced', async () => {
    const stale = (await findConnection(ledger.db, id))!;
    await ledger.rows(`update connections set credentials = 'new' where id = $1`, id);
    await recordCredentials({ sql: ledger.db, now: ledger.clock() }, stale, true);
    expect((await findConnection(ledger.db, id))!.credentials_refused_at).to.equal(null);
  });

  it('is paused until the later of two times, whichever is said last', async () => {
    const later = new Date(ledger.clock().getTime() + 2 * MINUTE);
    for (const until of [later, new Date(later.getTime() - MINUTE)])
      await recordPause(ledger.db, id, 'calls', until);
    expect((await findConnection(ledger.db, id))!.calls_paused).to.deep.equal({
      calls: later.toISOString(),
    });
  });
});
