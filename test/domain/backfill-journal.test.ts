import { expect } from 'chai';
import fc from 'fast-check';
import { backfillJournal } from '../../domain/backfill-journal.ts';
import { importPayments } from '../../domain/payments/facts/import-payments.ts';
import { closeDiscrepancy } from '../../domain/settlements/discrepancy/close.ts';
import { madeAt, newId } from '../../domain/shared/ids.ts';
import { type InTx, untold } from '../../domain/shared/tx.ts';
import { emptyJournal, expectBooks } from '../support/books.ts';
import { DAY } from '../support/clock.ts';
import { useLedger } from './ledger.ts';
import { paid } from './notices.ts';
import { histories } from './payments/histories/history-steps.ts';
import { runHistory } from './payments/histories/run-history.ts';
import { busyWeek } from './settlements/settlement/busy-week.ts';

const HISTORIES = 25;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));

interface Posting {
  id: string;
  connection_id: string;
  debit: string;
  credit: string;
  amount_kobo: number;
  type: string;
  source: string;
  occurred_at: Date;
  created_at: Date;
}

describe('The backfill of the journal', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);
  let live: Posting[];

  const journal = () => ledger.rows<Posting>('select * from postings order by id');
  /** Ends before the commit of its transaction of this number. */
  const backfill = async (endsAt = Number.POSITIVE_INFINITY) => {
    let begun = 0;
    const inTx: InTx = (work) =>
      ledger.inTx(async (tx) => {
        const result = await work(tx);
        if (++begun === endsAt) throw new Error('killed');
        return result;
      });
    const { db, clock } = ledger;
    const written = { charges: 0, settlements: 0 };
    for await (const { charges, settlements } of backfillJournal({ db, inTx, clock }, 7)) {
      written.charges += charges;
      written.settlements += settlements;
    }
    return written;
  };

  before(async function () {
    this.timeout(120_000);
    for (const steps of fc.sample(histories, { numRuns: HISTORIES, seed }))
      await runHistory(ledger, steps);
    const week = await busyWeek(ledger);
    await week.reconcile();
    const [{ tenant_id: tenantId, mode, id }] = (await week.discrepancies()) as [any];
    const actor = { tenantId, mode, subjectId: 'key_1', memberId: null };
    await ledger.inTx((tx) => closeDiscrepancy(tx, actor, { id, reason: 'As agreed' }));
    await expectBooks(ledger.db);
    live = await journal();
  });
  beforeEach(() => emptyJournal(ledger.db));

  it('posts nothing where all is posted, and everything again after a kill', async () => {
    expect(await backfill(3).catch(({ message }) => message)).to.equal('killed');
    const before = await journal();
    expect(before).to.have.length.above(0).and.below(live.length);
    await backfill();
    const after = await journal();
    expect(after).to.deep.include.members(before);
    expect(await backfill()).to.deep.equal({ charges: 0, settlements: 0 });
    expect(await journal()).to.deep.equal(after);
    expectAlike(after, live);
    await expectBooks(ledger.db);
  });

  it('posts once where it runs twice at once, and discards snapshots of before', async () => {
    const { clock, connections, db } = ledger;
    await ledger.rows(
      `insert into balance_snapshots values
         ($1, $2, 'capture', 'at_provider', 'collected', 500000, 1)`,
      ...[connections[0], newId('btx', clock())],
    );
    await Promise.all([backfill(), backfill()]);
    expectAlike(await journal(), live);
    await expectBooks(db);
    expect(await ledger.rows('select 1 from balance_snapshots')).to.deep.equal([]);
  });

  it('posts what was imported of years ago where it was recorded', async () => {
    const partitions = () =>
      ledger.rows("select relid::text from pg_partition_tree('postings') order by 1");
    await backfill();
    const before = await partitions();
    const [connection] = await ledger.rows('select * from connections order by id');
    const begun = new Date(ledger.clock().getTime() - 900 * DAY);
    const { verification } = paid({ reference: 'order-1', created_at: begun }) as any;
    const past = { verification, email: null, name: null, phone: null };
    await untold(ledger.inTx)((tx) => importPayments(tx, connection, [past]));
    await emptyJournal(ledger.db);
    await backfill();
    const [posting] = (await journal()).filter(({ type }) => type === 'imported');
    expect(posting).to.include({ debit: 'at_provider', connection_id: connection.id });
    expect(posting!.created_at).to.be.above(connection.created_at);
    expect(await partitions()).to.deep.equal(before);
    await expectBooks(ledger.db);
  });
});

/** Where nothing was corrected, row by row; the rest in sums, by record and account. */
function expectAlike(found: readonly Posting[], live: readonly Posting[]): void {
  expect(sumsOf(found), `SEED=${seed}`).to.deep.equal(sumsOf(live));
  const corrected = correctedOf(live);
  const plain = (postings: readonly Posting[]) =>
    postings
      .filter(({ source }) => !corrected.has(source))
      .map(({ connection_id, debit, credit, amount_kobo, type, source, occurred_at }) =>
        [source, type, connection_id, debit, credit, amount_kobo, occurred_at.toISOString()].join(),
      )
      .sort();
  expect(plain(found), `SEED=${seed}`)
    .to.deep.equal(plain(live))
    .and.have.length.above(live.length / 2);
  for (const { id, created_at: createdAt } of found)
    expect(madeAt(id).getTime()).to.equal(createdAt.getTime());
}

function sumsOf(postings: readonly Posting[]): Record<string, number> {
  const sums = new Map<string, number>();
  const add = (key: string, kobo: number) => sums.set(key, (sums.get(key) ?? 0) + kobo);
  for (const { source, debit, credit, amount_kobo: kobo } of postings) {
    add(`${source} ${debit}`, kobo);
    add(`${source} ${credit}`, -kobo);
  }
  return Object.fromEntries([...sums].filter(([, kobo]) => kobo !== 0).sort());
}

/**
 * Records of which one type was posted again: at another time, or between accounts as before, of
 * which two that end at one moment take in the order of their ids. A dispute begins and ends; of an
 * extra payment it may be owed to its payer in between.
 */
function correctedOf(postings: readonly Posting[]): Set<string> {
  const groups = Map.groupBy(postings, ({ source, type }) => `${source} ${type}`);
  const again = [...groups.values()].filter((of) => {
    const passed = of.filter(({ debit }) => of.some(({ credit }) => credit === debit));
    if (of[0]!.type === 'dispute') return passed.some(({ debit }) => debit === 'payers');
    return (
      new Set(of.map((one) => one.created_at.getTime())).size > 1 ||
      new Set(of.map(({ debit, credit }) => `${debit} ${credit}`)).size < of.length ||
      passed.length > 0
    );
  });
  return new Set(again.map(([one]) => one!.source));
}
