import { expect } from 'chai';
import { lockAccount } from '../../domain/settlements/account/account.ts';
import type { Program } from '../../scripts/command-line.ts';
import { reconcile as program } from '../../scripts/reconcile/program.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { type Run, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { settingsOf } from './ops-fixture.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const span = ['--from', day(-7), '--to', day(7)];

describe('npm run reconcile', () => {
  const stack = useStack();

  const settings = () => ({ ...settingsOf(stack), SANDBOX_URL: stack.sandbox.url });
  const reconcile = (...args: string[]) => runHere(program, args, settings());
  const started = (...args: string[]) => run(['scripts/reconcile.ts', ...args], settings());
  const object = ({ stdout, stderr }: Run): Record<string, any> => {
    expect(stdout.split('\n'), stderr).to.have.length(2);
    return JSON.parse(stdout);
  };

  it('settles what landed at each provider, and ends with 0', async () => {
    const charges = [];
    for (const provider of ['provider_a', 'provider_b', 'provider_c'])
      charges.push(await paidCharge(stack, { provider }));
    await stack.control.settle();
    const { code, stdout, stderr } = await reconcile(...span);
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.include('Everything that was due landed. No discrepancy is open.')
      .and.match(/in no discrepancy +0\.00/);
    for (const charge of charges) expect((await stored(stack, charge)).status).to.equal('settled');
    expect(object(await reconcile(...span, '--json'))).to.include({
      ...{ complete: true, clean: true, difference_kobo: 0, unexplained_kobo: 0 },
    });
  });

  it('names what is short, to the kobo, and ends with 3; two at once report the same', async () => {
    await paidCharge(stack);
    await stack.control.settle(undefined, { short_by_kobo: 12_345 });
    const [one, two] = await Promise.all([started(...span), reconcile(...span, '--json')]);
    expect([one.code, two.code], one.stderr + two.stderr).to.deep.equal([3, 3]);
    expect(one.stdout)
      .to.match(/ 123\.45 {2}short, settlement stl_/)
      .and.match(/under investigation: 1 open discrepancy +123\.45/)
      .and.match(/^ +123\.45 {2}together$/m);
    const { connections, ...totals } = object(two);
    const found = { discrepancy_count: 1, discrepancies_kobo: 12_345, unexplained_kobo: 0 };
    expect(totals).to.include({ clean: false, ...found });
    const account = connections.find((one: any) => one.discrepancy_count > 0);
    const short = { object: 'settlement', status: 'short', shortfall_kobo: 12_345 };
    expect(account.settlements.at(-1)).to.include(short);
    expect(account.discrepancies[0]).to.include({
      ...{ object: 'discrepancy', kind: 'short', difference_kobo: 12_345, status: 'open' },
    });
  });

  it('reports only on the given days', async () => {
    const { code, stdout } = await reconcile('--from', day(-30), '--to', day(-20), '--json');
    expect([code, JSON.parse(stdout).expected_kobo]).to.deep.equal([0, 0]);
  });

  it('ends with 1 and names the provider that does not answer; it reports on the others', async () => {
    await paidCharge(stack);
    await stack.control.settle();
    await stack.control.faults({ provider: 'flutterwave', error_rate: 1 });
    const { code, stdout, stderr } = await reconcile(...span);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^These could not be read completely:\n {2}con_\w+: .+\n$/);
    expect(stdout).to.include('NOT COMPLETE').and.include('landed');
    await stack.control.faults();
  });

  describe('beside a transaction that holds the rows of a connection', () => {
    /** Holds what every round of the connection writes until `isOver`, or until `run` ended. */
    const beside = async <T>(run: () => Promise<T>, isOver?: () => Promise<unknown>) => {
      const [{ id }] = await stack.sql<any>`select id from connections where slot = 'provider_a'
        and mode = 'test' limit 1`;
      let running!: Promise<T>;
      await stack.context.db.transaction(async (sql) => {
        await lockAccount({ sql } as never, { id });
        await sql.query('select 1 from connections where id = $1 for update', [id]);
        running = run();
        await (isOver?.() ?? running);
      });
      return { connectionId: id, ...(await running) };
    };
    const untilOneGaveUp = async () => {
      const waits = async () => {
        const [{ waiting }] = await stack.sql<any>`select count(*) as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`;
        return Number(waiting) > 0;
      };
      await until('a statement that waits', waits);
      await until('its end', async () => !(await waits()));
    };
    const impatient: Program = (root, terminal) =>
      program(root, terminal, { eachMs: 1_500, leftMs: 60_000 });
    const short = () => ({ ...settings(), DATABASE_TIMEOUT_MS: '500' });

    it('waits for it and tries again: it ends as ever, with 3', async () => {
      const { code, stdout, stderr } = await beside(
        () => runHere(program, [...span, '--json'], short()),
        untilOneGaveUp,
      );
      expect([code, stderr]).to.deep.equal([3, '']);
      expect(JSON.parse(stdout)).to.include({ complete: true });
    });

    it('goes on with the next connections where it does not end, and ends with 1 in sentences', async () => {
      const charge = await paidCharge(stack, { provider: 'provider_b' });
      await stack.control.settle();
      const { code, stdout, stderr, connectionId } = await beside(() =>
        runHere(impatient, span, short()),
      );
      expect(code).to.equal(1);
      expect(stderr).to.equal(
        `These could not be read completely:\n  ${connectionId}: the database did not take it in ` +
          'time: canceling statement due to statement timeout\n',
      );
      expect(stdout)
        .to.include('NOT COMPLETE')
        .and.not.match(/^ +at /m);
      expect((await stored(stack, charge)).status, 'at another connection').to.equal('settled');
    });

    it('ends with 1 and a sentence where an error is its own', async () => {
      const { db } = stack.context;
      await db.query('alter table settlements rename column step to lost');
      try {
        const { code, stdout, stderr } = await reconcile(...span);
        expect(code).to.equal(1);
        expect(stderr).to.match(
          /^These could not be read completely:\n( {2}con_\w+: an error of this service: column "?[\w.]+"? does not exist\n)+$/,
        );
        expect(stdout).to.not.match(/^ +at /m);
      } finally {
        await db.query('alter table settlements rename column lost to step');
      }
    });
  });

  it('says what the records and the journal say of each account, and ends with 3 where they differ', async () => {
    const [posting] = await stack.sql<any>`select id, connection_id from postings
      where type = 'fee' limit 1`;
    const accounts = async () => {
      const { connections, books_wrong: wrong } = object(await reconcile(...span, '--json'));
      const { books } = connections.find((one: any) => one.connection_id === posting.connection_id);
      const differing = books.filter((one: any) => one.records_kobo !== one.journal_kobo);
      return { wrong, differing: differing.map((one: any) => one.account) };
    };
    const change = (kobo: number) =>
      stack.context.db.transaction(async (sql) => {
        await sql.query("select set_config('session_replication_role', 'replica', true)");
        await sql.query('update postings set amount_kobo = amount_kobo + $2 where id = $1', [
          posting.id,
          kobo,
        ]);
      });
    expect(await accounts()).to.deep.equal({ wrong: 0, differing: [] });
    await change(1);
    expect(await accounts()).to.deep.equal({ wrong: 1, differing: ['at_provider', 'fees'] });
    const { code, stdout } = await reconcile(...span);
    expect(code).to.equal(3);
    expect(stdout).to.match(/^fees +[\d.]+ +[\d.]+ +−0\.01$/m);
    await change(-1);
    expect(await accounts()).to.deep.equal({ wrong: 0, differing: [] });
  });

  it('refuses wrong options in one sentence', async () => {
    const nobody = `ten_${'0'.repeat(26)}`;
    const refused = [
      [['--from', '2026-13-01', '--to', day(0)], '--from must be a day, such as 2026-11-01.'],
      [['--from', day(1), '--to', day(0)], '--from must not be later than --to.'],
      [[...span, '--tenant', 'me'], '--tenant must be the id of a tenant: ten_ and 26 characters.'],
      [[...span, '--tenant', nobody], `No connection belongs to a tenant ${nobody}.`],
      [['--from', day(0)], "error: required option '--to <date>' not specified"],
    ] as const;
    const runs = await Promise.all(refused.map(([args]) => reconcile(...args)));
    expect(runs.map(({ code, stdout, stderr }) => [code, stdout, stderr.trim()])).to.deep.equal(
      refused.map(([, sentence]) => [1, '', sentence]),
    );
  });
});
