import { expect } from 'chai';
import { type DueRow, queues } from '../../domain/jobs.ts';
import { claimRows, hastenRows, settleRows } from '../../domain/shared/due-rows.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { claimRow } from '../../workers/run-job.ts';
import { useLedgerForEach } from '../domain/ledger.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { whileHeld, withoutWaiting } from '../support/contention.ts';

const QUEUE = 'charge-create';
const { leaseMs } = queues[QUEUE];

interface Row extends DueRow {
  status: string;
  snoozes: number;
  failures: number;
  due_at: Date;
}

describe('Of two workers on one row, the second', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);
  const context = { context: ledger };
  let first: DueRow;
  let other: DueRow;
  beforeEach(async () => {
    [first, other] = [await dueRow(), await dueRow()];
  });

  const dueRow = async (): Promise<DueRow> => ({
    id: (await ledger.newCharge()).attemptId,
    tries: 0,
  });
  const rowOf = async ({ id }: DueRow) =>
    (await ledger.rows<Row>('select * from attempts where id = $1', id))[0]!;
  const change = ({ id }: DueRow, set: string) =>
    ledger.rows(`update attempts set ${set} where id = $1`, id);
  const claim = (row: DueRow, sql: Sql = ledger.db) =>
    claimRow<Row>(sql, QUEUE, row, ledger.clock());
  const pull = async (sql: Sql = ledger.db) => {
    const wanted = [{ group: ledger.connections[0]!, count: 10 }];
    return (await claimRows(sql, QUEUE, wanted, ledger.clock())).map(({ id }) => id);
  };
  const settle = (row: DueRow, waitMs: number) =>
    settleRows(ledger.db, QUEUE, [
      { ...row, dueAt: new Date(ledger.clock().getTime() + waitMs), isSnoozed: true },
    ]);
  const hasten = (row: DueRow) => {
    const dueAt = new Date(ledger.clock().getTime() - SECOND);
    return hastenRows(ledger.db, QUEUE, [{ ...row, dueAt }]);
  };

  const expectUntouched = async (row: DueRow, late: () => Promise<unknown>) => {
    const before = await rowOf(row);
    await late();
    expect(await rowOf(row)).to.deep.equal(before);
  };

  const heldClaim = async (row: DueRow, late: () => Promise<unknown>) => {
    let claimed: Row | undefined;
    const hold = async (sql: Sql) => {
      claimed = await claim(row, sql);
    };
    await whileHeld(context, hold, () => [late()]);
    return claimed!;
  };

  describe('claims nothing', () => {
    it('when it comes at the moment of the first claim', async () => {
      await ledger.db.transaction(async (sql) => {
        expect(await claim(first, sql)).to.include({ tries: 1 });
        expect(await withoutWaiting(context, (late) => claim(first, late))).to.equal(undefined);
      });
      expect(await rowOf(first)).to.include({ tries: 1 });
    });

    it('when it comes within the lease of the first', async () => {
      const { tries } = (await claim(first))!;
      ledger.clock.advance(leaseMs - MINUTE / 4);
      expect(await claim({ ...first, tries })).to.equal(undefined);
    });

    it('when its row is due again in half a second', async () => {
      const { id, tries } = (await claim(first))!;
      await settle({ id, tries }, SECOND / 2);
      expect(await claim(first)).to.equal(undefined);
      ledger.clock.advance(SECOND / 2);
      expect(await claim(first)).to.include({ tries: 2 });
    });

    it('when the row went to another queue meanwhile', async () => {
      await change(first, `status = 'open'`);
      expect(await claim(first)).to.equal(undefined);
    });

    it('of a row that the first claims at this moment, and claims the next one without waiting', async () => {
      await ledger.db.transaction(async (sql) => {
        await claim(first, sql);
        expect(await withoutWaiting(context, (late) => pull(late))).to.deep.equal([other.id]);
      });
    });

    it('of the rows that the first pulls at this moment', async () => {
      await ledger.db.transaction(async (sql) => {
        expect(await pull(sql)).to.deep.equal([first.id, other.id]);
        expect(await withoutWaiting(context, (late) => pull(late))).to.deep.equal([]);
      });
    });
  });

  describe('leaves the row as the first has it', () => {
    const late: Record<string, [waitMs: number, write: (row: DueRow) => Promise<unknown>]> = {
      settles: [leaseMs, (row) => settle(row, MINUTE)],
      wakes: [SECOND / 2, hasten],
    };
    for (const [what, [waitMs, write]] of Object.entries(late)) {
      /** What the second claimed before the row was due for the first again. */
      const claimedBefore = async () => {
        const { id, tries } = (await claim(first))!;
        if (what === 'wakes') await settle({ id, tries }, waitMs);
        ledger.clock.advance(waitMs);
        return { id, tries };
      };

      it(`when it ${what} a row that was claimed again`, async () => {
        const stale = await claimedBefore();
        await claim(stale);
        await expectUntouched(first, () => write(stale));
      });

      it(`when it ${what} a row that is claimed again at this moment`, async () => {
        const stale = await claimedBefore();
        const snoozes = what === 'wakes' ? 1 : 0;
        const held = await heldClaim(stale, () => write(stale));
        expect(await rowOf(first)).to.deep.include({ snoozes, due_at: held.due_at });
      });

      it(`when it ${what} a row that went to another queue meanwhile`, async () => {
        const { id, tries } = (await claim(first))!;
        await change(first, `status = 'open', due_at = now() + interval '1 day'`);
        await expectUntouched(first, () => write({ id, tries }));
      });
    }

    it('when the same statement settled it before, and its answer was lost', async () => {
      const claimed = (await claim(first))!;
      const settled = [{ ...claimed, dueAt: ledger.clock(), isSnoozed: true }];
      await settleRows(ledger.db, QUEUE, settled);
      await expectUntouched(first, () => settleRows(ledger.db, QUEUE, settled));
    });
  });
});
