import { expect } from 'chai';
import { findConnection } from '../../../../domain/accounts/connection/connection.ts';
import { queues } from '../../../../domain/jobs.ts';
import {
  finishNotification,
  type NotificationRow,
  SELECT_NOTIFICATIONS,
} from '../../../../domain/payments/notification/finish.ts';
import {
  REPEAT_AFTER_MS,
  storeNotifications,
} from '../../../../domain/payments/notification/store.ts';
import { sha256Of } from '../../../../domain/shared/sha256.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { MINUTE, SECOND } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { useLedgerForEach } from '../../ledger.ts';

const QUEUE = 'notification-process';
const { leaseMs } = queues[QUEUE];

describe('A notification that two workers have', () => {
  const ledger = useLedgerForEach();
  beforeEach(async () => {
    await arrive();
  });

  const stored = async () => (await ledger.rows('select * from notifications'))[0]!;
  /** Its body arrives. Returns when its job is due; undefined: no job is enqueued. */
  const arrive = async () => {
    const connection = (await findConnection(ledger.db, ledger.connections[0]!))!;
    const named = { references: [], paymentIds: ['pay-1'] };
    const notification = { event: 'charge', about: 'payment' as const, ...named };
    const body = '{"paid":1}';
    const arrival = { connection, notification, body: Buffer.from(body), sha256: sha256Of(body) };
    const [job] = await ledger.tx((tx) => storeNotifications(tx, [arrival]));
    return job?.dueAt;
  };
  const claim = async (sql: Sql = ledger.db) => {
    const row = (await stored()) as { id: string };
    const select = SELECT_NOTIFICATIONS;
    return (await claimRow<NotificationRow>(sql, QUEUE, row, ledger.clock(), select))!;
  };
  const claimAfterLease = (sql?: Sql) => {
    ledger.clock.advance(leaseMs);
    return claim(sql);
  };
  const finish = (claimed: NotificationRow) =>
    finishNotification(ledger.db, claimed, 'processed', ledger.clock());

  it('is left to the second, which claimed it after the lease of the first, where the first ends it', async () => {
    const stale = await claim();
    await claimAfterLease();
    const before = await stored();
    expect(await finish(stale)).to.equal(false);
    expect(await stored()).to.deep.equal(before);
  });

  it('is left to the second, which claims it at this moment, where the first ends it', async () => {
    const stale = await claim();
    const hold = (sql: Sql) => claimAfterLease(sql);
    expect(await whileHeld({ context: ledger }, hold, () => [finish(stale)])).to.deep.equal([
      false,
    ]);
    expect(await stored()).to.include({ status: 'received', tries: 2 });
  });

  it('is processed again where it arrives again before the first ends it, by no second job', async () => {
    const claimed = await claim();
    const { due_at: leaseEnd } = await stored();
    ledger.clock.advance(SECOND);
    expect(await arrive()).to.equal(undefined);
    expect((await stored()).due_at).to.deep.equal(leaseEnd);
    expect(await finish(claimed)).to.equal(false);
    expect(await stored()).to.include({ status: 'received' });
  });

  it('is due a while after it was processed, by one job, however often it arrives until then', async () => {
    expect(await finish(await claim())).to.equal(true);
    const { processed_at: processedAt } = await stored();
    const dueAt = new Date(processedAt.getTime() + REPEAT_AFTER_MS);
    ledger.clock.advance(SECOND);
    expect(await arrive()).to.deep.equal(dueAt);
    ledger.clock.advance(2 * MINUTE);
    expect(await arrive()).to.equal(undefined);
    expect(await stored()).to.deep.include({ due_at: dueAt });
  });

  it('is due at once where it arrives long after it was processed', async () => {
    await finish(await claim());
    ledger.clock.advance(2 * MINUTE);
    const dueAt = (await arrive())!;
    expect(Math.abs(dueAt.getTime() - ledger.clock().getTime())).to.be.lessThan(SECOND);
  });
});
