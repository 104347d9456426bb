import { expect } from 'chai';
import { type Movement, post } from '../../../domain/journal/post.ts';
import { debitedBefore, runningTotals } from '../../../domain/journal/running-totals.ts';
import { discardSnapshots, takeSnapshots } from '../../../domain/journal/snapshots.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { MINUTE } from '../../support/clock.ts';
import { useLedgerForEach } from '../ledger.ts';

describe('Running totals', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);

  const reader = async () => {
    const [{ id }] = await ledger.rows('select id from tenants');
    return { tenantId: id, mode: 'test' as const };
  };
  /** So many captures with a fee each, at this moment. */
  const collect = async (captures: number, connection = 0) => {
    const owner = { ...(await reader()), connectionId: ledger.connections[connection]! };
    const movements = Array.from({ length: captures }, (): Movement[] => {
      const about = { source: newId('cap', ledger.clock()), occurredAt: ledger.clock() };
      return [
        { ...about, type: 'capture', moved: { at_provider: 500_000, collected: -500_000 } },
        { ...about, type: 'fee', moved: { fees: 7_500, at_provider: -7_500 } },
      ];
    });
    await ledger.inTx((tx) => post(tx, owner, movements.flat(), { isNew: true }));
  };

  const start = new Date('2027-03-20T10:00:00Z');
  const at = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);
  /** An hour in which captures come every minute at one connection, and seldom at another. */
  beforeEach(async () => {
    for (let minute = 0; minute < 60; minute++) {
      ledger.clock.stopAt(at(minute));
      await collect(30);
      if (minute % 20 === 0) await collect(1, 1);
    }
  });

  const take = (limit = 50_000) => takeSnapshots({ db: ledger.db, now: ledger.clock() }, limit);
  const takeAll = async () => {
    const passed = [];
    do passed.push(await take(1_000));
    while (passed.at(-1) === 1_000);
    return passed;
  };
  const snapshots = async (connection: number) =>
    (
      await ledger.rows(
        'select distinct before_id from balance_snapshots where connection_id = $1',
        ledger.connections[connection],
      )
    ).length;
  const captured = async (moment: Date | null = null) => {
    const totals = await runningTotals(ledger.db, await reader(), moment);
    const of = (name: string, wanted: string) =>
      totals.find(({ slot, type }) => slot === name && type === wanted) ?? {
        count: 0,
        amount_kobo: 0,
      };
    return ['provider_a', 'provider_b'].map((slot) => {
      const [capture, fee] = [of(slot, 'capture'), of(slot, 'fee')];
      expect(capture.amount_kobo, slot).to.equal(capture.count * 500_000);
      expect(fee, slot).to.include({ count: capture.count, amount_kobo: fee.count * 7_500 });
      return capture.count;
    });
  };
  const expectTotals = async () => {
    for (const [minute, counts] of [
      [0, [0, 0]],
      [1, [30, 1]],
      [20, [600, 1]],
      [20.5, [630, 2]],
      [59, [1_770, 3]],
      [60, [1_800, 3]],
    ] as const)
      expect(await captured(at(minute)), `${minute} minutes`).to.deep.equal(counts);
    expect(await captured(), 'now').to.deep.equal([1_800, 3]);
  };

  it('are those of the postings before any moment', expectTotals);

  it('are the same from snapshots, which are few', async () => {
    ledger.clock.stopAt(at(70));
    expect(await takeAll()).to.deep.equal([1_000, 1_000, 1_000, 606]);
    expect([await snapshots(0), await snapshots(1)]).to.deep.equal([4, 0]);
    await expectTotals();
  });

  it('are the same while snapshots are behind, and after some or all were discarded', async () => {
    ledger.clock.stopAt(at(40));
    expect(await takeAll()).to.not.include(0);
    await expectTotals();
    expect(await snapshots(0)).to.equal(3);
    for (const [since, left] of [
      [at(22), 1],
      [new Date(0), 0],
    ] as const) {
      await ledger.inTx((tx) => discardSnapshots(tx.sql, ledger.connections, since));
      expect(await snapshots(0)).to.equal(left);
      await expectTotals();
    }
    ledger.clock.stopAt(at(70));
    await takeAll();
    await expectTotals();
  });

  it('are what an account had at each of many moments', async () => {
    ledger.clock.stopAt(at(70));
    await takeAll();
    const moments = [0, 1, 20, 59, 60].map(at);
    const history = await debitedBefore(ledger.db, await reader(), 'at_provider', moments);
    expect(history.map((slots) => slots.map(({ kobo }) => kobo / 492_500))).to.deep.equal([
      [],
      ...[
        [30, 1],
        [600, 1],
        [1_770, 3],
        [1_800, 3],
      ],
    ]);
    const collected = await debitedBefore(ledger.db, await reader(), 'collected', [at(1)]);
    expect(collected[0]!.map(({ kobo }) => kobo)).to.deep.equal([-15_000_000, -500_000]);
  });

  it('count each posting once where two processes take snapshots at once', async () => {
    ledger.clock.stopAt(at(70));
    const taken = await Promise.all([take(3_000), take(3_000), take(3_000)]);
    expect(taken.sort()).to.deep.equal([0, 3_000, 606].sort());
    await expectTotals();
  });

  it('are in no snapshot while the time or a running transaction may still add to them', async () => {
    ledger.clock.stopAt(at(5));
    expect(await take(), 'five minutes').to.equal(0);
    ledger.clock.stopAt(new Date(at(5).getTime() + 1));
    await ledger.db.transaction(async (running) => {
      await running.query('select 1');
      expect(await take(), 'a transaction').to.equal(0);
    });
    expect(await take()).to.equal(62);
  });
});
