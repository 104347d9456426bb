import type { Sql } from '../../../domain/shared/sql.ts';
import type { Account, Payment, Settlement } from '../records.ts';
import { firstOf, listPage, type Page, type Window } from '../rows.ts';
import { listSettled } from '../settlements.ts';

const sales = 'sandbox.payment_state';

/** An account's sale, by Monnify's reference. */
export function findSaleByTransactionReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Payment | undefined> {
  return firstOf<Payment>(sql, sales, 'account_id = $1 and access_code = $2', [
    account.id,
    reference,
  ]);
}

/** An account's sales, newest first. */
export function listSales(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Payment>> {
  return listPage<Payment>(sql, sales, { 'account_id = ?': account.id, ...conditions }, window);
}

/** The sales of a settlement, newest first. */
export function listSettledSales(
  sql: Sql,
  settlement: Settlement,
  window: Window,
): Promise<Page<Payment>> {
  return listSettled<Payment>(sql, sales, settlement, window);
}
