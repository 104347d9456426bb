import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type UsableConnection, usableConnections } from '../attempt/connections.ts';
import { openAttempt } from '../attempt/store.ts';
import { isOpenRow, isRetryable } from '../charge/ending.ts';
import type { ChargeRow } from '../charge/row.ts';
import { advanceLocked, lockChargeNow } from '../facts/advance-charge.ts';
import { lockLink } from '../payment-link/pay-link.ts';

/** Anybody with the address of a checkout may ask for another payment. */
const MOST_DECLINED = 5;

/**
 * Where the payer of a declined charge may try again: with `auto` first where it was not declined
 * yet. Undefined: nowhere.
 */
export async function findRetry(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  charge: ChargeRow,
): Promise<UsableConnection | undefined> {
  if (!isRetryable(charge, now)) return undefined;
  if ((await countDeclined(sql, charge.id)) >= MOST_DECLINED) return undefined;
  const { payment_link_id: linkId } = charge;
  if (linkId !== null && !(await isLinkFree(sql, linkId, now))) return undefined;
  const [next] = await usableConnections(sql, charge.id);
  return next;
}

/** Opens the next attempt of a declined charge. Of many requests at once, one opens it. */
export async function retryPayment(tx: Tx, chargeId: string): Promise<void> {
  const locked = await lockChargeNow(tx, chargeId);
  const { charge } = locked;
  if (charge.payment_link_id !== null) await lockLink(tx, charge.payment_link_id);
  const next = await findRetry(tx, charge);
  if (!next) return;
  await advanceLocked(tx, locked, { type: 'retried', slot: next.slot });
  await openAttempt(tx, charge, { connectionId: next.id, slot: next.slot, dueAt: tx.now });
}

async function countDeclined(sql: Sql, chargeId: string): Promise<number> {
  const declined = await sql.query(
    `select 1 from attempts where charge_id = $1 and status = 'declined' limit $2`,
    [chargeId, MOST_DECLINED],
  );
  return declined.length;
}

/** It takes payments, and no other charge of it waits for one. */
async function isLinkFree(sql: Sql, linkId: string, now: Date): Promise<boolean> {
  const free = await sql.query(
    `select 1 from payment_links l where id = $1 and status = 'active' and expires_at > $2
     and (select 1 from charges c where c.payment_link_id = l.id and ${isOpenRow('c')}) is null`,
    [linkId, now],
  );
  return free.length > 0;
}
