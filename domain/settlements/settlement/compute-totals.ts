import { takeSettlementsOfChanged } from '../../payments/capture/settle.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import { checkNeverNotified } from '../discrepancy/check-never-notified.ts';
import { applyDecision } from './apply.ts';
import type { SettlementContext } from './context.ts';
import { assignDeductions, releaseDeductions } from './deductions.ts';
import { sumLines } from './line-differences.ts';
import { deleteLines } from './match-lines.ts';
import { rematchLines } from './rematch-lines.ts';
import {
  decideFailed,
  decideLanded,
  deductionsToExplain,
  type StatedSettlement,
} from './totals.ts';
import { stepTransitions } from './transitions.ts';

type TotalsContext = Pick<SettlementContext, 'db' | 'inTx' | 'account' | 'hasTime'>;

/**
 * Failed ones first, for their payments belong to those that paid them out after all; those with
 * discrepancies again: what one gave up may explain another. False: no time for all.
 */
export async function computeAllTotals(context: TotalsContext): Promise<boolean> {
  const { account, inTx, hasTime } = context;
  const compute = (id: string) => inTx((tx) => computeTotals(tx, account, id));
  await inTx((tx) => recomputeChanged(tx, account));
  const { failed, landed } = await settlementsDue(context);
  for (const id of failed) await compute(id);
  await rematchLines(context);
  for (const id of landed) {
    if (!hasTime()) return false;
    await compute(id);
  }
  const last = landed.at(-1);
  for (const id of await settlementsThatDiffer(context)) {
    if (!hasTime()) break;
    if (id !== last) await compute(id);
  }
  return true;
}

async function recomputeChanged(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  const ids = await takeSettlementsOfChanged(tx, account.id);
  if (ids.length === 0) return;
  await tx.sql.query(
    `update settlements set step = '${stepTransitions.reconciled['payment changed']}'
     where id = any($1) and step = 'reconciled'`,
    [ids],
  );
}

async function settlementsDue({ db, account }: TotalsContext) {
  const due = await db.query<{ id: string; has_failed: boolean }>(
    `select id, stated_state = 'failed' as has_failed from settlements
     where connection_id = $1 and step = 'compute_totals' order by id`,
    [account.id],
  );
  const idsOf = (hasFailed: boolean) =>
    due.filter(({ has_failed }) => has_failed === hasFailed).map(({ id }) => id);
  return { failed: idsOf(true), landed: idsOf(false) };
}

const MAX_RECOMPUTED = 100;

/** Longest ago first. */
async function settlementsThatDiffer({ db, account }: TotalsContext): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from settlements s where connection_id = $1 and step = 'reconciled' and exists (
       select from discrepancies d where d.settlement_id = s.id and d.status in ('open', 'closed'))
     order by totals_computed_at, id limit ${MAX_RECOMPUTED}`,
    [account.id],
  );
  return rows.map(({ id }) => id);
}

/**
 * What it should have been, what landed, and why they differ, to the kobo. Its event is published
 * once. Unknown payments are checked now. Repeatable.
 */
export async function computeTotals(tx: Tx, account: SettlementAccount, settlementId: string) {
  await lockAccount(tx, account);
  const [stated] = await tx.sql.query<StatedSettlement>(
    `select id, status, stated_state, stated_amount_kobo, stated_deductions_kobo,
       expected_date, landed_at, expected_amount_kobo
     from settlements where id = $1 and step in ('compute_totals', 'reconciled')`,
    [settlementId],
  );
  if (!stated) return;
  const decision =
    stated.stated_state === 'failed'
      ? await releaseFailed(tx, stated)
      : await compareLanded(tx, account, stated);
  await applyDecision(tx, account, stated, decision);
  await checkNeverNotified(tx, account, {
    ...{ where: 'settlement_id = $1', value: stated.id, most: 5_000 },
  });
}

async function compareLanded(tx: Tx, account: SettlementAccount, stated: StatedSettlement) {
  const sums = await sumLines(tx, stated.id);
  const deductions = await assignDeductions(tx, account, {
    settlementId: stated.id,
    kobo: deductionsToExplain(stated, sums),
    onlyWhole: stated.stated_deductions_kobo === null,
    landedAt: stated.landed_at ?? tx.now,
  });
  return decideLanded(stated, sums, deductions, tx.now);
}

async function releaseFailed(tx: Tx, stated: StatedSettlement) {
  await deleteLines(tx, stated.id, 'all');
  await releaseDeductions(tx, stated.id);
  return decideFailed(stated);
}
