import { execFile, spawnSync } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { textOf } from '../../api/dashboard/exports/journal-text.ts';
import { connectionNames } from '../../domain/accounts/connection/connections.ts';
import type { Account } from '../../domain/journal/moved.ts';
import { postedLines } from '../../domain/payments/posting/posted-lines.ts';
import type { Sql } from '../../domain/shared/sql.ts';

const run = promisify(execFile);

/** In naira with two decimals, by account; those that are not zero. */
type Balances = Record<string, string>;

interface Bookkeeper {
  name: string;
  isInstalled: () => boolean;
  /** Throws where it finds anything wrong with a file. */
  balances: (text: string) => Promise<Balances>;
}

export const bookkeepers: readonly Bookkeeper[] = [
  bookkeeper('hledger', async (file) => {
    await run('hledger', ['-f', file, 'check', 'ordereddates']);
    const options = ['-f', file, 'balance', '--flat', '--no-total', '-O', 'csv'];
    return (await run('hledger', options)).stdout;
  }),
  bookkeeper('bean-check', async (file) => {
    await run('bean-check', [file]);
    const query = 'select account, sum(number) group by account';
    return (await run('bean-query', ['-q', '-f', 'csv', file, query])).stdout;
  }),
];

function bookkeeper(name: string, read: (file: string) => Promise<string>): Bookkeeper {
  return {
    name,
    isInstalled() {
      if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return true;
      process.stdout.write(`\n*** No ${name} on the PATH: it reads no journal, SKIPPED. ***\n`);
      return false;
    },
    async balances(text) {
      await using dir = await mkdtempDisposable(join(tmpdir(), 'journal-'));
      const file = join(dir.path, 'journal.txt');
      await writeFile(file, text);
      const lines = (await read(file)).matchAll(/^"?(\w+:[\w:-]+)"?\s*,"?\s*(-?[\d.]+)/gm);
      return nonZero([...lines].map(([, account, naira]) => [account!, naira!]));
    },
  };
}

/** The names of an account in a file and in `GET /balances`, where debts and income are positive. */
const names: Record<Account, [file: string, api: string]> = {
  at_provider: ['Assets:At-Provider', 'pending_kobo'],
  bank: ['Assets:Bank', 'paid_out_kobo'],
  held_by_dispute: ['Assets:Held-By-Dispute', 'in_dispute_kobo'],
  differences: ['Assets:Differences', 'differences_kobo'],
  payers: ['Liabilities:Payers', 'owed_to_payers_kobo'],
  other_business: ['Liabilities:Other-Business', 'other_business_kobo'],
  collected: ['Income:Collected', 'collected_kobo'],
  refunds: ['Income:Refunds', 'refunded_kobo'],
  fees: ['Expenses:Fees', 'fees_kobo'],
  disputes_lost: ['Expenses:Disputes-Lost', 'disputed_kobo'],
  written_off: ['Expenses:Written-Off', 'written_off_kobo'],
};

const ofCredits = /^(Liabilities|Income:Collected)/;

/** What the API answered, by the names of a file's accounts: of slots with one connection each. */
export function answeredBalances(
  answered: readonly Record<string, any>[],
  providers: Record<string, string>,
): Balances {
  return nonZero(
    answered.flatMap((balance) =>
      Object.values(names).map(([account, field]): [string, string] => {
        const naira = (balance[field] * (ofCredits.test(account) ? -1 : 1)) / 100;
        return [`${account}:${providers[balance.provider]}`, naira.toFixed(2)];
      }),
    ),
  );
}

/** What all postings add up to, by the names of a file's accounts. */
async function postedBalances(sql: Sql): Promise<Balances> {
  const rows = await sql.query<{ account: Account; adapter: string; nth: string; naira: string }>(
    `select account, adapter, (sum(kobo) / 100)::numeric(20, 2)::text as naira,
       (select count(*) from connections earlier
        where earlier.adapter = c.adapter and earlier.id <= c.id) as nth
     from (
       select connection_id, debit as account, amount_kobo as kobo from postings
       union all select connection_id, credit, -amount_kobo from postings) moved
     join connections c on c.id = connection_id group by c.id, account`,
  );
  const balances = rows.map(({ account, adapter, nth, naira }): [string, string] => {
    const name = `${adapter.charAt(0).toUpperCase()}${adapter.slice(1)}`;
    return [`${names[account][0]}:${name}${Number(nth) > 1 ? `-${nth}` : ''}`, naira];
  });
  return nonZero(balances);
}

/** Of the only tenant, as the dashboard's file has it. */
async function journalTextOf(sql: Sql): Promise<string> {
  const [tenant] = await sql.query<{ id: string }>('select id from tenants');
  const reader = { tenantId: tenant!.id, mode: 'test' as const };
  const text = textOf({
    from: undefined,
    opening: [],
    lines: postedLines((work) => work(sql), reader, { start: null, end: null }),
    names: await connectionNames(sql, reader),
    codeOf: (account) => account,
  });
  return (await Array.fromAsync(text)).join('');
}

/**
 * A test for each program: it reads the journal of the only tenant, which earlier tests have filled,
 * and finds its balances. Missing programs skip theirs.
 */
export function itReadsBooks(title: string, sql: () => Sql): void {
  for (const { name, isInstalled, balances } of bookkeepers)
    it(`${title} ${name} reads, with the journal’s balances`, async function () {
      if (!isInstalled()) this.skip();
      const posted = await postedBalances(sql());
      expect(posted).not.to.deep.equal({});
      expect(await balances(await journalTextOf(sql()))).to.deep.equal(posted);
    });
}

function nonZero(balances: [account: string, naira: string][]): Balances {
  return Object.fromEntries(balances.filter(([, naira]) => Number(naira) !== 0));
}
