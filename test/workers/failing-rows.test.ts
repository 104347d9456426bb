import { expect } from 'chai';
import type { AttemptRow } from '../../domain/payments/attempt/row.ts';
import { findFailingRows } from '../../domain/shared/failing-rows.ts';
import { completed, type Outcome, retry, snooze } from '../../workers/job-handler.ts';
import { createJobLoop } from '../../workers/job-loop.ts';
import { wakeRows } from '../../workers/wake-rows.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { useStack } from '../support/stack.ts';

describe('Rows that fail', () => {
  const stack = useStack({ workers: false, newTenants: true });

  describe('have failures, which', () => {
    let id: string;
    beforeEach(async () => {
      id = await newAttempt();
    });

    const newAttempt = async (): Promise<string> =>
      (await stored(stack, await newCharge(stack))).attempts[0]!.id;
    const work = async (handleRow: () => Promise<Outcome>, timeoutMs = 60_000) => {
      const [due] = await stack.sql`
        update attempts set due_at = ${stack.clock()} where id = ${id} returning connection_id`;
      const handler = { queue: 'charge-create', handle: () => [handleRow()] } as const;
      const loop = createJobLoop(stack.context, handler, timeoutMs);
      await loop.begin([due.connection_id]);
      await loop.close();
      const [after] = await stack.sql<AttemptRow>`select * from attempts where id = ${id}`;
      return after!;
    };
    const failWith = (error: string) => () => Promise.reject(new Error(error));
    const later = () => stack.clock();

    it('are the tries that threw, timed out or are to be retried; one that succeeds ends them', async () => {
      expect(await work(failWith('it threw'))).to.include({ failures: 1, last_error: 'it threw' });
      const never = () => new Promise<Outcome>(() => {});
      const late = await work(never, 50);
      expect(late).to.include({ failures: 2 });
      expect(late.last_error).to.match(/50 ms/);
      const again = async () => retry(new Date(later().getTime() + 1_000), 'HTTP 502');
      expect(await work(again)).to.include({ failures: 3, last_error: 'HTTP 502' });
      const notSent = async () => snooze(new Date(later().getTime() + 1_000), 'breaker open');
      expect(await work(notSent)).to.include({ failures: 3, last_error: 'HTTP 502', tries: 4 });
      const done = async () => completed();
      expect(await work(done)).to.include({ failures: 0, last_error: null, tries: 5 });
    });

    it('have an error whose text can be stored, however long, and whatever is in it', async () => {
      const { last_error: error } = await work(failWith(`a\0b\ud800${'c'.repeat(1_000)}`));
      expect(error)
        .to.match(/^ab\ufffdc+$/)
        .and.have.length.within(290, 300);
    });

    it('name it while there are more than eight, also while it is worked on; the worst rows come first', async () => {
      const { db } = stack.context;
      const ids = [id, await newAttempt(), await newAttempt()];
      for (const [n, failures] of [9, 8, 30].entries())
        await stack.sql`update attempts set failures = ${failures},
          due_at = due_at + interval '1 hour' where id = ${ids[n]}`;
      const found = async (most: number) =>
        (await findFailingRows(db, most)).map((row) => `${row.failures} of ${ids.indexOf(row.id)}`);
      expect(await found(10)).to.deep.equal(['30 of 2', '9 of 0']);
      expect(await found(1)).to.deep.equal(['30 of 2']);
      let during: unknown;
      await work(async () => {
        during = await found(10);
        return completed();
      });
      expect(during).to.deep.equal(['30 of 2', '9 of 0']);
      await stack.sql`update attempts set due_at = null where id = ${ids[2]}`;
      expect(await found(10), 'never tried again').to.deep.equal([]);
    });
  });

  describe('are woken', () => {
    let nowMs: number;

    const attempts = () => stack.sql<AttemptRow>`select a.* from attempts a
      join charges c on c.id = charge_id where tenant_id = ${stack.tenant.tenant_id} order by a.id`;
    const waits = (id: string, forMs: number | null) => stack.sql`update attempts set tries = 3,
      due_at = ${forMs === null ? null : new Date(nowMs + forMs)} where id = ${id}`;

    it('20 a second, none later than it was, and none that was claimed since', async () => {
      for (let made = 0; made < 24; made++) await newCharge(stack);
      nowMs = stack.clock().getTime();
      const ids = (await attempts()).map(({ id }) => id);
      for (const id of ids) await waits(id, 5 * MINUTE);
      const [soon, never, claimed] = ids.slice(20);
      await waits(soon!, 500);
      await waits(never!, null);
      const known = await attempts();
      const rows = known.map(({ id }) => ({ id, tries: id === claimed ? 2 : 3 }));
      const context = { ...stack.context, clock: () => new Date(nowMs) };
      await wakeRows(context, 'charge-create', { group: known[0]!.connection_id, rows });
      const after = (await attempts()).map(({ due_at }) => due_at && due_at.getTime() - nowMs);
      expect(after.slice(0, 20)).to.deep.equal(Array(20).fill(0));
      expect(after.slice(20)).to.deep.equal([500, null, 5 * MINUTE, SECOND]);
    });
  });
});
