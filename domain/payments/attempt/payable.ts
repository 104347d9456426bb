import type { Sql } from '../../shared/sql.ts';
import { creatingAttemptStatuses } from './transitions.ts';

/**
 * SQL: attempt `a` has or gets a payable link, or holds money that does not go back. `now` is a
 * parameter.
 */
export const payableAttempt = (now: `$${number}`) =>
  `(a.status in (${CREATING}) or (a.status = 'open' and ${linkIsAlive(now)})
    or (a.status = 'captured' and (
      select 1 from captures k where k.charge_id = a.charge_id and k.attempt_id = a.id
        and k.status in ('applied', 'on_hold') limit 1) is not null))`;

export async function hasPayableAttempt(sql: Sql, chargeId: string, now: Date): Promise<boolean> {
  const payable = await sql.query(
    `select 1 from attempts a where charge_id = $1 and ${payableAttempt('$2')} limit 1`,
    [chargeId, now],
  );
  return payable.length > 0;
}

const linkIsAlive = (now: string) => `(a.link_expires_at is null or a.link_expires_at > ${now})`;

const CREATING = creatingAttemptStatuses.map((status) => `'${status}'`).join(', ');
