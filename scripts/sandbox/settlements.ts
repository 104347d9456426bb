import type { Sql } from '../../domain/sql.ts';
import { notify } from './notifications.ts';
import type { Account, Deduction, Payment, Settlement } from './records.ts';
import { all, first, listPage, type Page, type Window } from './rows.ts';
import type { World } from './world.ts';

/** Pays out everything an account has not been paid yet, less what it owes back. Undefined when there is nothing to pay out.
 *  The account is locked meanwhile, so that two settlements never hold the same payment. */
export async function settleAccount(world: World, account: Account, shortByKobo: number): Promise<Settlement | undefined> {
  const settled = world.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.account where id = $1 for no key update', [account.id]);
    const [unsettled] = await tx.query(
      'select 1 from sandbox.payment where account_id = $1 and paid_at is not null and settlement_id is null limit 1',
      [account.id],
    );
    if (!unsettled) return undefined;
    const opened = await first<Settlement>(tx, 'insert into sandbox.settlement (account_id, created_at) values ($1, $2) returning *', [
      account.id,
      world.now(),
    ]);
    const settlement = await closeSettlement(tx, opened!, shortByKobo);
    await tell(tx, world, account, settlement);
    return settlement;
  });
  await settled;
  world.wake();
  return settled;
}

async function tell(tx: Sql, world: World, account: Account, settlement: Settlement): Promise<void> {
  const message = world.providers[account.provider].notices.settlement;
  if (message) await notify(tx, world, account, message(account, settlement, await settledPayments(tx, settlement)));
}

/** Every payment a settlement holds, oldest first. */
export function settledPayments(sql: Sql, settlement: Settlement): Promise<Payment[]> {
  return all<Payment>(sql, 'select * from sandbox.payment_state where settlement_id = $1 order by id', [settlement.id]);
}

async function closeSettlement(tx: Sql, settlement: Settlement, shortByKobo: number): Promise<Settlement> {
  const { grossKobo, feeKobo } = await takePayments(tx, settlement);
  const deductionsKobo = await takeDeductions(tx, settlement, grossKobo - feeKobo);
  const landedKobo = Math.max(0, grossKobo - feeKobo - deductionsKobo - shortByKobo);
  const closed = await first<Settlement>(
    tx,
    'update sandbox.settlement set gross_kobo = $2, fee_kobo = $3, deductions_kobo = $4, landed_kobo = $5 where id = $1 returning *',
    [settlement.id, grossKobo, feeKobo, deductionsKobo, landedKobo],
  );
  return closed!;
}

async function takePayments(tx: Sql, settlement: Settlement): Promise<{ grossKobo: number; feeKobo: number }> {
  const sums = await first<{ grossKobo: number; feeKobo: number }>(
    tx,
    `with taken as (
       update sandbox.payment set settlement_id = $2 where account_id = $1 and paid_at is not null and settlement_id is null
       returning paid_kobo, fee_kobo)
     select sum(paid_kobo)::bigint as gross_kobo, sum(fee_kobo)::bigint as fee_kobo from taken`,
    [settlement.accountId, settlement.id],
  );
  return sums!;
}

/** Takes what is owed back, oldest first, as far as the money reaches: a bank transfer cannot be negative, the rest waits for the next one. */
async function takeDeductions(tx: Sql, settlement: Settlement, netKobo: number): Promise<number> {
  const sum = await first<{ kobo: number }>(
    tx,
    `with owed as (
       select id, sum(amount_kobo) over (order by id) as running_kobo from sandbox.deduction where account_id = $1 and settlement_id is null),
     taken as (
       update sandbox.deduction d set settlement_id = $2 from owed where d.id = owed.id and owed.running_kobo <= $3
       returning d.amount_kobo)
     select coalesce(sum(amount_kobo), 0)::bigint as kobo from taken`,
    [settlement.accountId, settlement.id, netKobo],
  );
  return sum!.kobo;
}

/** What a settlement held back, oldest first, and what for. */
export function settledDeductions(sql: Sql, settlement: Settlement): Promise<Deduction[]> {
  return all<Deduction>(sql, 'select * from sandbox.deduction where settlement_id = $1 order by id', [settlement.id]);
}

/** What an account would be paid out now, short of what it owes back; less than nothing while it owes more. */
export async function unsettledKobo(sql: Sql, account: Account): Promise<number> {
  const sum = await first<{ kobo: number }>(
    sql,
    `select coalesce((select sum(paid_kobo - fee_kobo) from sandbox.payment
                       where account_id = $1 and paid_at is not null and settlement_id is null), 0)::bigint
          - coalesce((select sum(amount_kobo) from sandbox.deduction where account_id = $1 and settlement_id is null), 0)::bigint as kobo`,
    [account.id],
  );
  return sum!.kobo;
}

export function findSettlement(sql: Sql, account: Account, id: number): Promise<Settlement | undefined> {
  return first<Settlement>(sql, 'select * from sandbox.settlement where account_id = $1 and id = $2', [account.id, id]);
}

/** An account's settlements, newest first. */
export function listSettlements(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Settlement>> {
  return listPage<Settlement>(sql, 'sandbox.settlement', { 'account_id = ?': account.id, ...conditions }, window);
}
