import type { Tx } from '../../shared/tx.ts';
import { wantingEndpoints } from '../../webhooks/event/publish.ts';
import type { AttemptRow } from '../attempt/row.ts';
import type { WatchedAttempt } from '../attempt/watched.ts';
import type { RecordedCapture } from '../capture/capture.ts';
import type { EndpointIds } from '../charge/decision.ts';
import type { ChargeRow } from '../charge/row.ts';

export type ProviderAttempt = AttemptRow & { adapter: string };

/** All that a fact about an attempt is decided by. */
export interface LockedCharge {
  charge: ChargeRow;
  attempts: ProviderAttempt[];
  /** And the reported ones that another charge has. */
  captures: RecordedCapture[];
  endpointIds: EndpointIds;
}

export interface Reported {
  attemptId: string;
  paymentIds: readonly string[];
}

/** Locks the charge of an attempt, then its attempts, which workers claim without that lock. */
export async function lockWithAttempts(tx: Tx, reported: Reported): Promise<LockedCharge> {
  const charges = await tx.sql.query<ChargeRow>(lock(''), [[reported.attemptId]]);
  const [locked] = await read(tx, [reported], charges);
  if (!locked) throw new Error(`No attempt ${reported.attemptId}.`);
  return locked;
}

/** Waits for no charge: undefined where somebody else has locked it. */
export async function lockUnlocked(
  tx: Tx,
  reported: readonly Reported[],
): Promise<(LockedCharge | undefined)[]> {
  const ids = reported.map(({ attemptId }) => attemptId);
  const charges = await tx.sql.query<ChargeRow>(lock('skip locked'), [ids]);
  return read(tx, reported, charges);
}

const lock = (wait: '' | 'skip locked') => `
  select * from charges where id = any(array(
    select charge_id from attempts where id = any($1)))
  order by id for update ${wait}`;

type Time = 'capturedAt' | 'recordedAt';

interface Read {
  captures: (Omit<RecordedCapture, Time> & Record<Time, string>)[];
  endpoints: string[];
}

async function read(
  tx: Tx,
  reported: readonly Reported[],
  charges: readonly ChargeRow[],
): Promise<(LockedCharge | undefined)[]> {
  const rows = await tx.sql.query<ProviderAttempt & Read>(READ, [
    charges.map(({ id }) => id),
    reported.flatMap(({ attemptId, paymentIds }) => paymentIds.map(() => attemptId)),
    reported.flatMap(({ paymentIds }) => paymentIds),
    'charge.succeeded',
  ]);
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  const byCharge = Map.groupBy(rows, ({ charge_id }) => charge_id);
  const chargeIds = new Map(rows.map(({ id, charge_id }) => [id, charge_id]));
  return reported.map(({ attemptId }) => {
    const charge = byId.get(chargeIds.get(attemptId) ?? '');
    if (!charge) return undefined;
    const attempts = byCharge.get(charge.id)!;
    const { captures, endpoints } = attempts.find(({ id }) => id === attemptId)!;
    return {
      charge,
      attempts,
      captures: captures.map(({ capturedAt, recordedAt, ...one }) => ({
        ...{ ...one, capturedAt: new Date(capturedAt), recordedAt: new Date(recordedAt) },
      })),
      endpointIds: { 'charge.succeeded': endpoints },
    };
  });
}

/** After the charges' locks: a statement sees what was committed before it began. */
const READ = `
  select a.*, o.adapter,
    coalesce((
      select json_agg(json_build_object('id', k.id, 'chargeId', k.charge_id,
        'connectionId', k.connection_id, 'providerPaymentId', k.provider_payment_id,
        'status', k.status, 'amountKobo', k.amount_kobo,
        'payerFeeKobo', k.payer_fee_kobo, 'feeKobo', k.fee_kobo, 'attemptId', k.attempt_id,
        'keptKobo', k.kept_kobo, 'currency', k.currency, 'capturedAt', k.captured_at,
        'recordedAt', k.recorded_at) order by k.id)
      from captures k
      where k.charge_id = a.charge_id
        or (k.connection_id = a.connection_id and k.provider_payment_id = any(array(
          select payment_id from unnest($2::text[], $3::text[]) as reported (attempt_id, payment_id)
          where attempt_id = a.id)))), '[]') as captures,
    array(${wantingEndpoints('c.tenant_id', 'c.mode', '$4')}) as endpoints
  from attempts a
  join charges c on c.id = a.charge_id
  join connections o on o.id = a.connection_id
  where a.charge_id = any($1) order by a.id for update of a`;

export function watchedOf(
  { charge, captures }: Pick<LockedCharge, 'charge' | 'captures'>,
  attempt: ProviderAttempt,
): WatchedAttempt {
  const { cancel_requested_at, failed_at, failure_cause, retrying, expires_at, status, review } =
    charge;
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
    retrying,
    paid_at: paidAt.length > 0 ? new Date(Math.max(...paidAt)) : null,
  };
}
