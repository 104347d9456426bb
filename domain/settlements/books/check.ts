import type { Database } from '../../shared/sql.ts';
import type { InTx, Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import { countWrongBooks } from '../discrepancy/count-open.ts';
import { recordDifferences } from '../discrepancy/record-differences.ts';
import { type AccountBalance, addBalances, BALANCES, SNAPSHOTS } from './balances.ts';
import { type BooksPosition, nextSources, parts } from './sources.ts';

export interface BooksContext {
  db: Database;
  inTx: InTx;
  account: SettlementAccount;
  hasTime: () => boolean;
  /** Is told what both sides say of each source, added up. */
  onBalances?: (balances: readonly AccountBalance[]) => void;
}

/**
 * Compares what the journal says of every record of a connection with the record, and records where
 * they differ. Returns where to go on; null: all is compared. Repeatable, and beside any work.
 */
export async function checkBooks(
  context: BooksContext,
  from: BooksPosition | null = null,
): Promise<BooksPosition | null> {
  const { db, inTx, account, hasTime } = context;
  let at: BooksPosition | null = from ?? { part: 'known', after: '' };
  while (at && hasTime()) {
    const { part }: BooksPosition = at;
    const { sources, last } = await nextSources(db, account, at);
    const concerned = part === 'known' ? sources : await findWrong(context, part, sources);
    if (concerned.length > 0) await inTx((tx) => recordWrong(tx, account, concerned));
    at = last === null ? partAfter(part) : { part, after: last };
  }
  return at;
}

async function findWrong(
  { db, account, onBalances }: BooksContext,
  part: BooksPosition['part'],
  sources: readonly string[],
): Promise<string[]> {
  if (sources.length === 0) return [];
  const of = part === 'snapshots' ? SNAPSHOTS : BALANCES;
  const balances = await addBalances(db, account, { of, sources });
  if (of === BALANCES) onBalances?.(balances);
  const wrong = balances.flatMap((balance) => balance.wrong);
  const isOneFault =
    wrong.length > 0 && (await countWrongBooks(db, MOST_OPEN, account.id)) === MOST_OPEN;
  return isOneFault ? [] : wrong;
}

/** Where so many differ, it is one fault: more of them would help nobody to find it. */
const MOST_OPEN = 1_000;

function partAfter(part: BooksPosition['part']): BooksPosition | null {
  const next = parts[parts.indexOf(part) + 1];
  return next ? { part: next, after: '' } : null;
}

/** Opens a discrepancy for each source that differs, and resolves those of which none does. */
async function recordWrong(tx: Tx, account: SettlementAccount, sources: readonly string[]) {
  await lockAccount(tx, account);
  await recordDifferences(tx, account, {
    differences: DIFFERENCES,
    scope: `d.kind = 'books' and d.subject = any($2)`,
    values: [sources, tx.now],
  });
}

const DIFFERENCES = `
  select 'books' as kind, source as subject, null as settlement_id, null as line_id,
    max(charge_id) as charge_id, (select a.reference from captures k join attempts a
      on a.id = k.attempt_id where k.id = max(payment_id)) as reference,
    max(abs(records - journal)) as amount_kobo, 0::bigint as difference_kobo,
    (coalesce(min(at), $3) at time zone 'Africa/Lagos')::date as day,
    null::bigint as ours_kobo, null::bigint as theirs_kobo,
    json_agg(json_build_object('account', account, 'records', records, 'journal', journal)
      order by account) filter (where records <> journal)::text as other
  from (${BALANCES} union all (${SNAPSHOTS})) balances
  group by source having bool_or(records <> journal)`;
