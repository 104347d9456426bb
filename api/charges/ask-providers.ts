import type { Context } from '../../config/context.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import { askAboutAttempt } from '../../domain/payments/ask-about-attempt.ts';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { isUnpaid } from '../../domain/payments/charge/transitions.ts';
import { ProviderError } from '../../domain/providers/provider.ts';

/** How long a read waits for a provider. Without an answer by then, the stored state is shown. */
const READ_TIMEOUT_MS = 2_500;

interface AskedAttempt {
  id: string;
  reference: string;
  connection_id: string;
  connection: StoredConnection;
}

/**
 * Asks the providers about the attempts of an unpaid charge that may hold money: each at most once
 * a second across all processes, and once more after the merchant asked to cancel the charge.
 * `includeExpired` asks about links that have ended as well. Returns true when a provider answered,
 * so that the charge should be read again.
 */
export async function askProviders(
  context: Context,
  charge: Pick<ChargeRow, 'id' | 'status'>,
  { includeExpired = false }: { includeExpired?: boolean } = {},
): Promise<boolean> {
  if (!isUnpaid(charge.status)) return false;
  const attempts = await claimAttempts(context, charge.id, includeExpired);
  const answered = await Promise.all(attempts.map((attempt) => ask(context, attempt)));
  return answered.includes(true);
}

/** True when the provider answered. A failure is logged and does not fail the read. */
async function ask(context: Context, attempt: AskedAttempt): Promise<boolean> {
  const about = { attempt: attempt.id, connection: attempt.connection.id };
  try {
    const provider = context.providerOf(attempt.connection);
    const answer = await askAboutAttempt(
      { inTx: context.inTx, clock: context.clock, provider },
      attempt,
      READ_TIMEOUT_MS,
    );
    if (!(answer instanceof ProviderError)) return true;
    context.log.info('provider did not answer a read', { ...about, error: answer.message });
  } catch (error) {
    context.log.error('provider call of a read failed', {
      ...about,
      error: (error as Error).stack,
    });
  }
  return false;
}

/**
 * Marks the attempts that were not asked about within the last second as asked now; returns them.
 */
function claimAttempts(
  { db, clock }: Context,
  chargeId: string,
  includeExpired: boolean,
): Promise<AskedAttempt[]> {
  return db.query<AskedAttempt>(
    `with claimed as (
       select q.id from attempts q join charges on charges.id = q.charge_id
       where q.charge_id = $1
         and (q.status in ('open', 'lost', 'captured') or ($3 and q.status = 'expired'))
         and (asked_at is null or asked_at <= $2::timestamptz - interval '1 second'
           or asked_at < cancel_requested_at)
       for update of q skip locked
     )
     update attempts a set asked_at = $2 from claimed, connections c
     where a.id = claimed.id and c.id = a.connection_id
     returning a.id, a.reference, a.connection_id, row_to_json(c) as connection`,
    [chargeId, clock(), includeExpired],
  );
}
