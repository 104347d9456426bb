import type { Sql } from '../../shared/sql.ts';
import { creatingAttemptStatuses } from './transitions.ts';

/**
 * SQL, with the parameter that holds the time: attempt `a` has a link that can be paid, will have
 * one soon, or holds money.
 */
export const payableAttempt = (now: `$${number}`) =>
  `(a.status in (${PAYABLE}) or (a.status = 'open' and ${linkIsAlive(now)}))`;

/** True while the payer needs no new link. */
export async function hasPayableAttempt(sql: Sql, chargeId: string, now: Date): Promise<boolean> {
  const payable = await sql.query(
    `select 1 from attempts a where charge_id = $1 and ${payableAttempt('$2')} limit 1`,
    [chargeId, now],
  );
  return payable.length > 0;
}

const linkIsAlive = (now: string) => `(a.link_expires_at is null or a.link_expires_at > ${now})`;

const PAYABLE = ['captured', ...creatingAttemptStatuses].map((status) => `'${status}'`).join(', ');
