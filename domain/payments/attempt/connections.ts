import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { Sql } from '../../shared/sql.ts';

export interface UsableConnection {
  id: string;
  slot: string;
}

export type CallableConnection = UsableConnection & CallLimits;

type CallLimits = Pick<StoredConnection, 'id' | 'adapter' | 'mode' | 'sandbox' | 'calls_paused'>;

/**
 * Connections a charge may use, in the order `auto` tries them: none that refused it, and last
 * those where it was declined, the latest decline at the end.
 */
export function usableConnections(sql: Sql, chargeId: string): Promise<CallableConnection[]> {
  return sql.query<CallableConnection>(
    `select o.id, o.slot, o.adapter, o.mode, o.sandbox, o.calls_paused from charges c join connections o on o.tenant_id = c.tenant_id
     and o.mode = c.mode
     where c.id = $1 and o.disabled_at is null and c.provider_wanted in ('auto', o.slot)
       and (c.test_scenario is null or o.sandbox)
       and o.id not in (select connection_id from attempts where charge_id = $1
         and status = 'refused')
     order by (select max(id) from attempts
         where charge_id = $1 and connection_id = o.id and status = 'declined') nulls first,
       o.position, o.id`,
    [chargeId],
  );
}
