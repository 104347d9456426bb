import { expect } from 'chai';
import type { Span } from '../../../../domain/settlements/settlement/context.ts';
import { reconcile } from '../../../../domain/settlements/settlement/reconcile.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import { DAY } from '../../../support/clock.ts';
import { emptyTables } from '../../../support/emptied.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { busyWeek, stateOf } from './busy-week.ts';
import type { SettlementFixture } from './fixture.ts';
import { changesSince, noChanges, rowsOf } from './table-rows.ts';

/** Every so many steps; all of them: EVERY_STEP=1 npm test. */
const EVERY_STEP = Number(process.env.EVERY_STEP ?? 15);

describe('A reconciliation run', () => {
  const ledger = useLedgerForEach();
  let fixture: SettlementFixture;

  const span = (): Span => ({
    from: new Date(ledger.clock().getTime() - 60 * DAY),
    to: new Date(ledger.clock().getTime() + 7 * DAY),
  });
  const start = async () => {
    await emptyTables(ledger.rows);
    monday();
    fixture = await busyWeek(ledger);
  };
  const monday = () => {
    const now = ledger.clock();
    ledger.clock.advance(
      (((8 - now.getUTCDay()) % 7) + 7) * DAY - (now.getTime() % DAY) + 8 * 3_600_000,
    );
  };
  const outcome = async () => {
    const day = (ms: number) => new Date(ledger.clock().getTime() + ms).toISOString().slice(0, 10);
    let text = JSON.stringify(await stateOf(ledger));
    for (let days = -20; days < 20; days++)
      text = text.replaceAll(new RegExp(`${day(days * DAY)}(T[0-9:.]+Z)?`, 'g'), `day ${days}`);
    return JSON.parse(text);
  };

  it('that is repeated, also for another span that holds the settlements, changes nothing', async () => {
    await start();
    await reconcile(fixture.context, span());
    const before = await rowsOf(ledger);
    const jobs: unknown[] = [];
    const inTx: typeof fixture.context.inTx = (work) =>
      ledger.inTx((tx) => work({ ...tx, enqueue: (...more) => void jobs.push(...more) }));
    await reconcile({ ...fixture.context, inTx }, span());
    const nowMs = ledger.clock().getTime();
    for (const [from, to] of [
      [-2, 1],
      [-300, 0],
    ] as const)
      await reconcile(fixture.context, {
        ...{ from: new Date(nowMs + from * DAY), to: new Date(nowMs + to * DAY) },
      });
    expect(await changesSince(before, ledger)).to.deep.equal(noChanges);
    expect(jobs, 'no attempt is checked again').to.deep.equal([]);
  });

  it('that runs concurrently with others leads to the same result', async () => {
    await start();
    await reconcile(fixture.context, span());
    const alone = await outcome();
    for (let run = 0; run < 3; run++) {
      await start();
      fixture.linesPerPage = 1;
      const runs = await Promise.all(
        Array.from({ length: 4 }, () => reconcile(fixture.context, span())),
      );
      expect(runs.every(({ isDone }) => isDone)).to.equal(true);
      await reconcile(fixture.context, span());
      expect(await outcome()).to.deep.equal(alone);
    }
  });

  it('that is interrupted anywhere and run again leads to the same result', async function () {
    this.timeout(300_000);
    await start();
    const steps = await interruptedAt(Number.POSITIVE_INFINITY);
    const whole = await outcome();
    expect(steps).to.be.greaterThan(60);
    const first = 1 + (Math.floor(Date.now() / 1_000) % EVERY_STEP);
    for (let step = first; step <= steps; step += EVERY_STEP) {
      await start();
      await interruptedAt(step);
      await reconcile(fixture.context, span());
      expect(await outcome(), `interrupted at step ${step}`).to.deep.equal(whole);
    }
  });

  /**
   * Reconciles until a step fails: a call to the provider, an SQL statement, or a commit. Returns the
   * number of steps.
   */
  async function interruptedAt(at: number): Promise<number> {
    let steps = 0;
    const broken = new Error('interrupted');
    const step = () => {
      if (++steps === at) throw broken;
    };
    const counted = (sql: Sql): Sql => ({
      query: async (text, values) => {
        step();
        return sql.query(text, values);
      },
    });
    const { db } = fixture.context;
    fixture.onAnswer = step;
    const context: typeof fixture.context = {
      ...fixture.context,
      db: { ...counted(db), transaction: (work) => db.transaction((sql) => work(counted(sql))) },
      inTx: (work) =>
        ledger.inTx(async (tx) => {
          const result = await work({ ...tx, sql: counted(tx.sql) });
          step();
          return result;
        }),
    };
    await reconcile(context, span()).catch((error: unknown) => {
      if (error !== broken) throw error;
    });
    fixture.onAnswer = () => undefined;
    return steps;
  }

  it('reads no page twice when its time ends after each', async () => {
    await start();
    fixture.linesPerPage = 1;
    fixture.calls = [];
    let left = 1;
    const context = { ...fixture.context, hasTime: () => left-- > 0 };
    let rest: Span | null = span();
    let runs = 0;
    while (rest !== null && runs++ < 100) {
      left = 1;
      ({ rest } = await reconcile(context, rest));
    }
    expect(rest).to.equal(null);
    expect(runs).to.be.greaterThan(5);
    const { calls } = fixture;
    expect(new Set(calls).size, calls.join(', ')).to.equal(calls.length);
    await reconcile(fixture.context, span());
    const cut = await outcome();
    await start();
    await reconcile(fixture.context, span());
    expect(await outcome()).to.deep.equal(cut);
  });
});
