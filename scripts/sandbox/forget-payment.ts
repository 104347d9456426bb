import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import type { Payment, Settlement } from './records.ts';
import { all } from './rows.ts';
import { computeTotals } from './settle-account.ts';

/** No settlement: a forgotten payment waits for none. */
const noSettlement = 0;

/**
 * The provider loses a payment with everything else under its reference in the account: pages,
 * tries, refunds, disputes. A settlement that  contains any of it is computed again without it.
 * Returns how many payments and pages are gone.
 */
export function forgetPayment(
  context: SandboxContext,
  { accountId, reference }: Payment,
): Promise<number> {
  return context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.account where id = $1 for no key update', [accountId]);
    const rows = await tx.query<{ id: number }>(
      `select id from sandbox.payment where account_id = $1 and reference = $2
       and kind <> 'forgotten' for update`,
      [accountId, reference],
    );
    const ids = rows.map(({ id }) => id);
    const settlements = await lockSettlements(tx, ids);
    for (const table of ['dispute', 'deduction', 'refund']) {
      await tx.query(`delete from sandbox.${table} where payment_id = any($1::bigint[])`, [ids]);
    }
    // Tries share the page of their link; here each needs one of its own, and none that can be
    // opened.
    await tx.query(
      `update sandbox.payment set kind = 'forgotten', access_code = 'forgotten-' || id,
       settlement_id = $2 where id = any($1::bigint[])`,
      [ids, noSettlement],
    );
    for (const settlement of settlements) await computeTotals(tx, context, settlement);
    return ids.length;
  });
}

function lockSettlements(tx: Sql, paymentIds: number[]): Promise<Settlement[]> {
  return all<Settlement>(
    tx,
    `select * from sandbox.settlement
      where id in (select settlement_id from sandbox.payment where id = any($1::bigint[])
                   union select settlement_id from sandbox.deduction
                     where payment_id = any($1::bigint[]))
      order by id for update`,
    [paymentIds],
  );
}
