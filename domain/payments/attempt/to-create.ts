import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { AttemptRow } from './row.ts';

export type ChargeToCreate = Pick<
  ChargeRow,
  | 'id'
  | 'status'
  | 'retrying'
  | 'amount_kobo'
  | 'currency'
  | 'email'
  | 'name'
  | 'phone'
  | 'description'
  | 'provider_wanted'
  | 'created_by'
  | 'test_scenario'
  | 'expires_at'
  | 'cancel_requested_at'
>;

export interface AttemptToCreate extends AttemptRow {
  charge: Omit<ChargeToCreate, 'expires_at' | 'cancel_requested_at'>;
  charge_expires_at: Date;
  charge_cancel_requested_at: Date | null;
  connection: StoredConnection;
}

/** Part of the claim. */
export const SELECT_ATTEMPTS_TO_CREATE = `
select claimed.*, c.expires_at as charge_expires_at,
  c.cancel_requested_at as charge_cancel_requested_at,
  json_build_object('id', c.id, 'status', c.status, 'retrying', c.retrying, 'amount_kobo', c.amount_kobo,
    'currency', c.currency, 'email', c.email, 'name', c.name, 'phone', c.phone,
    'description', c.description, 'provider_wanted', c.provider_wanted,
    'created_by', c.created_by, 'test_scenario', c.test_scenario) as charge,
  row_to_json(o) as connection
from claimed
join charges c on c.id = claimed.charge_id
join connections o on o.id = claimed.connection_id`;

export function chargeOf(attempt: AttemptToCreate): ChargeToCreate {
  const { charge, charge_expires_at, charge_cancel_requested_at } = attempt;
  return {
    ...charge,
    expires_at: charge_expires_at,
    cancel_requested_at: charge_cancel_requested_at,
  };
}
