import { expect } from 'chai';
import { createNotificationWriter } from '../../../config/database/notification-writer.ts';
import { findConnections } from '../../../domain/accounts/connection/connection.ts';
import type { Job } from '../../../domain/jobs.ts';
import { type Arrival, openBody } from '../../../domain/payments/notification/store.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { useStack } from '../../support/stack.ts';
import { statementsOf } from '../../support/statements-of.ts';

describe('Notifications that come at one moment', () => {
  const stack = useStack({ workers: false });
  let enqueued: Job[];
  beforeEach(async () => {
    enqueued = [];
    await stack.sql`delete from notifications`;
  });

  const writer = () => {
    const { db, vault } = stack.context;
    const enqueue = (...jobs: Job[]) => void enqueued.push(...jobs);
    return createNotificationWriter({ sql: db, vault, enqueue }, stack.clock);
  };
  before(() => stack.newTenant());
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
