import { expect } from 'chai';
import type { Span } from '../../../../domain/settlements/settlement/context.ts';
import { reconcile } from '../../../../domain/settlements/settlement/reconcile.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import { DAY } from '../../../support/clock.ts';
import { emptyBooks } from '../../../support/emptied.ts';
import type { Ledger } from '../../ledger.ts';
import { openLedger } from '../../ledger.ts';
import { busyWeek, stateOf } from './busy-week.ts';
import { changesSince, nothing, rowsOf } from './every-row.ts';
import type { SettlementFixture } from './fixture.ts';

/** Every so many steps; all of them: EVERY_STEP=1 npm test. */
const EVERY_STEP = Number(process.env.EVERY_STEP ?? 15);

describe('Reconciling again, at once, or broken off', () => {
  let ledger: Ledger;
  let fixture: SettlementFixture;
  beforeEach(async () => {
    ledger = await openLedger();
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  const span = (): Span => ({
    from: new Date(ledger.clock().getTime() - 60 * DAY),
    to: new Date(ledger.clock().getTime() + 7 * DAY),
  });
  const start = async () => {
    await emptyBooks(ledger.rows);
    await monday();
    ({ fixture } = await busyWeek(ledger));
  };
  const monday = async () => {
    const now = ledger.clock();
    ledger.clock.advance(
      (((8 - now.getUTCDay()) % 7) + 7) * DAY - (now.getTime() % DAY) + 8 * 3_600_000,
    );
  };
  /** Days are told from the one it ends on. */
  const outcome = async () => {
    const day = (ms: number) => new Date(ledger.clock().getTime() + ms).toISOString().slice(0, 10);
    let text = JSON.stringify(await stateOf(ledger));
    for (let days = -20; days < 20; days++)
      text = text.replaceAll(new RegExp(`${day(days * DAY)}(T[0-9:.]+Z)?`, 'g'), `day ${days}`);
    return JSON.parse(text);
  };

  it('changes nothing, whatever was found', async () => {
    await start();
    await reconcile(fixture.desk, span());
    const before = await rowsOf(ledger);
    const jobs: unknown[] = [];
    const inTx: typeof fixture.desk.inTx = async (work) =>
      void jobs.push(...(await ledger.tx(work)));
    await reconcile({ ...fixture.desk, inTx }, span());
    expect(await changesSince(before, ledger)).to.deep.equal(nothing);
    expect(jobs, 'nobody is asked about again').to.deep.equal([]);
  });

  it('changes nothing over another time, as long as that holds the payouts', async () => {
    await start();
    await reconcile(fixture.desk, span());
    const before = await rowsOf(ledger);
    const now = ledger.clock().getTime();
    await reconcile(fixture.desk, { from: new Date(now - 2 * DAY), to: new Date(now + 1 * DAY) });
    await reconcile(fixture.desk, { from: new Date(now - 300 * DAY), to: new Date(now) });
    expect(await changesSince(before, ledger)).to.deep.equal(nothing);
  });

  it('comes to the same, at once with others', async () => {
    await start();
    await reconcile(fixture.desk, span());
    const alone = await outcome();
    for (let round = 0; round < 3; round++) {
      await start();
      fixture.linesAPage = 1;
      const rounds = await Promise.all(
        Array.from({ length: 4 }, () => reconcile(fixture.desk, span())),
      );
      expect(rounds.every(({ isDone }) => isDone)).to.equal(true);
      await reconcile(fixture.desk, span());
      expect(await outcome()).to.deep.equal(alone);
    }
  });

  it('comes to the same, broken off anywhere and begun again', async function () {
    this.timeout(300_000);
    await start();
    const steps = await brokenOff(Number.POSITIVE_INFINITY);
    const whole = await outcome();
    expect(steps).to.be.greaterThan(60);
    const first = 1 + (Math.floor(Date.now() / 1_000) % EVERY_STEP);
    for (let step = first; step <= steps; step += EVERY_STEP) {
      await start();
      await brokenOff(step);
      await reconcile(fixture.desk, span());
      expect(await outcome(), `broken off at step ${step}`).to.deep.equal(whole);
    }
  });

  /** Reconciles until a step fails: a question to the provider, a statement, or a commit. Returns how many there were. */
  async function brokenOff(at: number): Promise<number> {
    let steps = 0;
    const broken = new Error('broken off');
    const step = () => {
      if (++steps === at) throw broken;
    };
    const counted = (sql: Sql): Sql => ({
      query: async (text, values) => {
        step();
        return sql.query(text, values);
      },
    });
    const { db, provider } = fixture.desk;
    const desk: typeof fixture.desk = {
      ...fixture.desk,
      db: { ...counted(db), transaction: (work) => db.transaction((sql) => work(counted(sql))) },
      inTx: async (work) =>
        void (await ledger.tx(async (tx) => {
          const jobs = await work({ ...tx, sql: counted(tx.sql) });
          step();
          return jobs;
        })),
      provider: {
        ...provider,
        async listSettlements(...query) {
          step();
          return provider.listSettlements(...query);
        },
        async listLines(...query) {
          step();
          return provider.listLines(...query);
        },
      },
    };
    await reconcile(desk, span()).catch((error: unknown) => {
      if (error !== broken) throw error;
    });
    return steps;
  }

  it('reads no page twice where its time is cut short after each', async () => {
    await start();
    fixture.linesAPage = 1;
    const read: string[] = [];
    const { provider } = fixture.desk;
    let left = 1;
    const desk: typeof fixture.desk = {
      ...fixture.desk,
      hasTime: () => left-- > 0,
      provider: {
        ...provider,
        listSettlements(query, options) {
          read.push(`list ${query.cursor}`);
          return provider.listSettlements(query, options);
        },
        listLines(query, options) {
          read.push(`${query.providerSettlementId} ${query.cursor}`);
          return provider.listLines(query, options);
        },
      },
    };
    let rest: Span | null = span();
    let rounds = 0;
    while (rest !== null && rounds++ < 100) {
      left = 1;
      ({ rest } = await reconcile(desk, rest));
    }
    expect(rest).to.equal(null);
    expect(rounds).to.be.greaterThan(5);
    expect(new Set(read).size, read.join(', ')).to.equal(read.length);
    await reconcile(fixture.desk, span());
    const cut = await outcome();
    await start();
    await reconcile(fixture.desk, span());
    expect(await outcome()).to.deep.equal(cut);
  });
});
