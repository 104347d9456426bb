import { expect } from 'chai';
import type { Sql } from '../../domain/shared/sql.ts';
import { wrongBalances, wrongRefunds } from '../../scripts/audit/books.ts';

/** The journal says of every account what the records say: those of a charge, or all. */
export async function expectBooks(
  sql: Sql,
  { chargeId = null, when = 'now' }: { chargeId?: string | null; when?: string } = {},
): Promise<void> {
  const found = await wrongBalances(sql, chargeId);
  expect(found, `records less journal, ${when}`).to.deep.equal([]);
}

/** What charges say was refunded follows from the journal, where no dispute was lost. */
export async function expectRefunds(sql: Sql, chargeId: string | null = null): Promise<void> {
  expect(await wrongRefunds(sql, chargeId), 'refunds of charges').to.deep.equal([]);
}

/** As in a database from before it. */
export async function emptyJournal(sql: Sql): Promise<void> {
  await sql.query(`do $$ begin
    set local session_replication_role = replica;
    delete from postings;
  end $$`);
}
