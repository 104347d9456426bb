import type { Sql } from '../../../domain/shared/sql.ts';
import type { Account, Settlement } from '../records.ts';
import { firstOf, listPage, type Page, type Window } from '../rows.ts';
import { listSettled } from '../settlements.ts';
import type { Sale } from './payment-status.ts';

const sales = `(
  select s.*, (select coalesce(sum(amount_kobo), 0)::bigint from sandbox.refund
                where payment_id = s.id and status = 'completed') as refunded_kobo
    from sandbox.payment_state s where kind = 'payment') as sale`;

/** An account's sale, by the merchant's reference. */
export function findSaleByPaymentReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Sale | undefined> {
  return firstOf<Sale>(sql, sales, 'account_id = $1 and reference = $2', [account.id, reference]);
}

/** An account's sale, by Monnify's reference. */
export function findSaleByTransactionReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Sale | undefined> {
  return firstOf<Sale>(sql, sales, 'account_id = $1 and access_code = $2', [account.id, reference]);
}

/** An account's sales, newest first. */
export function listSales(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Sale>> {
  return listPage<Sale>(sql, sales, { 'account_id = ?': account.id, ...conditions }, window);
}

/** The sales of a settlement, newest first. */
export function listSettledSales(
  sql: Sql,
  settlement: Settlement,
  window: Window,
): Promise<Page<Sale>> {
  return listSettled<Sale>(sql, sales, settlement, window);
}
