import type { Sql } from '../../shared/sql.ts';

/** A connection a charge's next payment may be made at. */
export interface UsableConnection {
  id: string;
  slot: string;
}

/**
 * The connections a charge may use now, in the order `auto` tries them: enabled, and none that
 * refused it. A charge that names its slot has that one alone. One that was skipped while its
 * breaker was open is among them again: nothing was ever sent to it.
 */
export function usableConnections(sql: Sql, chargeId: string): Promise<UsableConnection[]> {
  return sql.query<UsableConnection>(
    `select o.id, o.slot from charges c join connections o on o.tenant_id = c.tenant_id
     and o.mode = c.mode
     where c.id = $1 and o.disabled_at is null and c.provider_wanted in ('auto', o.slot)
       and o.id not in (select connection_id from attempts where charge_id = $1
         and status = 'refused')
     order by o.position, o.id`,
    [chargeId],
  );
}
