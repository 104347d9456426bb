import type { Tx } from '../shared/tx.ts';
import { wantingEndpoints } from '../webhooks/event/publish.ts';
import type { AttemptRow } from './attempt/row.ts';
import type { WatchedAttempt } from './attempt/watched.ts';
import type { KnownCapture } from './capture/capture.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockChargeOf } from './charge/store.ts';

/** An attempt with the name of its provider. */
export type ProviderAttempt = AttemptRow & { adapter: string };

/** A capture that is on record, with what the checks of its attempt depend on. */
export interface RecordedCapture extends KnownCapture {
  attemptId: string;
  recordedAt: Date;
}

/** A charge with all that a fact about one of its attempts is decided by, locked. */
export interface LockedCharge {
  charge: ChargeRow;
  /** Oldest first. */
  attempts: ProviderAttempt[];
  /** Its captures, and the reported ones that another charge has. */
  captures: RecordedCapture[];
  /** The endpoints that want to know when it is paid. */
  endpointIds: string[];
}

/**
 * Locks the charge of an attempt, then its attempts, which workers claim without the charge's lock.
 * `paymentIds`: the payments that are reported of the attempt, by the provider's ids.
 */
export async function lockWithAttempts(
  tx: Tx,
  attemptId: string,
  paymentIds: readonly string[],
): Promise<LockedCharge> {
  const charge = await lockChargeOf(tx, 'attempt', attemptId);
  if (!charge) throw new Error(`No attempt ${attemptId}.`);
  const { id, tenant_id, mode } = charge;
  const rows = await tx.sql.query<ProviderAttempt & Read>(READ, [
    id,
    attemptId,
    paymentIds,
    tenant_id,
    mode,
    'charge.succeeded',
  ]);
  const { captures, endpoints } = rows[0]!;
  return {
    charge,
    attempts: rows,
    captures: captures.map((one) => ({ ...one, recordedAt: new Date(one.recordedAt) })),
    endpointIds: endpoints,
  };
}

interface Read {
  captures: (Omit<RecordedCapture, 'recordedAt'> & { recordedAt: string })[];
  endpoints: string[];
}

/** After the charge's lock: a statement sees what was committed before it began. */
const READ = `
  select a.*, o.adapter,
    coalesce((
      select json_agg(json_build_object('id', k.id, 'chargeId', k.charge_id,
        'connectionId', k.connection_id, 'providerPaymentId', k.provider_payment_id,
        'status', k.status, 'amountKobo', k.amount_kobo, 'feeKobo', k.fee_kobo,
        'attemptId', k.attempt_id, 'recordedAt', k.recorded_at) order by k.id)
      from captures k
      where k.charge_id = $1 or (k.provider_payment_id = any($3)
        and k.connection_id = (select connection_id from attempts where id = $2))), '[]') as captures,
    array(${wantingEndpoints('$4', '$5', '$6')}) as endpoints
  from attempts a join connections o on o.id = a.connection_id
  where a.charge_id = $1 order by a.id for update of a`;

/** The attempt with what its checks depend on of its charge. */
export function watchedOf(
  { charge, captures }: Pick<LockedCharge, 'charge' | 'captures'>,
  attempt: ProviderAttempt,
): WatchedAttempt {
  const { cancel_requested_at, failed_at, failure_cause, expires_at, status, review } = charge;
  const paidAt = captures
    .filter(({ chargeId, attemptId }) => chargeId === charge.id && attemptId === attempt.id)
    .map(({ recordedAt }) => recordedAt.getTime());
  return {
    ...attempt,
    charge: { status, review },
    charge_expires_at: expires_at,
    cancel_requested_at,
    failed_at,
    failure_cause,
    paid_at: paidAt.length > 0 ? new Date(Math.max(...paidAt)) : null,
  };
}
