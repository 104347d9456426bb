import type { DisputeQuery, ProviderDispute } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { dateOf, numericId, plainText, roundedKoboOfNaira, stateIn } from '../read.ts';
import type { Client } from './client.ts';
import { readList } from './pages.ts';
import { windowSince } from './wire.ts';

/**
 * `status` of a chargeback → ours. One the merchant `declined` is contested and not decided.
 * (https://developer.flutterwave.com/v3.0/docs/chargebacks)
 */
const states: Record<string, ProviderDispute['state']> = {
  initiated: 'open',
  declined: 'open',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
};

const stage = 'list disputes';

/** Chargebacks of a payment, or all since a moment. Throws `unknown` where one has no id. */
export async function listDisputes(
  client: Client,
  query: DisputeQuery,
  now: Date,
): Promise<ProviderDispute[]> {
  const since = 'since' in query ? query.since : query.payment.capturedAt;
  const rows = await readList(client, {
    path: '/chargebacks',
    query: windowSince(since, now),
    thing: 'chargeback',
    stage,
  });
  const disputes = rows.map(readDispute);
  if ('payment' in query)
    return disputes.filter(
      ({ providerPaymentId }) => providerPaymentId === query.payment.providerPaymentId,
    );
  return disputes.filter((_dispute, index) => mayBeSince(rows[index]!, since));
}

/** Flutterwave sometimes writes the hour of a chargeback in 12-hour form: 07:01 for 19:01. */
const HALF_A_DAY_MS = 12 * 3_600_000;

/** One without a time may be newer. */
function mayBeSince(row: Record<string, unknown>, since: Date): boolean {
  const beganAt = dateOf(row.created_at);
  return beganAt === null || beganAt.getTime() >= since.getTime() - HALF_A_DAY_MS;
}

function readDispute(row: Record<string, unknown>): ProviderDispute {
  const status = plainText(row.status, 50).toLowerCase();
  return {
    providerDisputeId: idIn(row.id),
    providerPaymentId: idIn(row.transaction_id),
    state: stateIn(states, status),
    status,
    amountKobo: roundedKoboOfNaira(row.amount),
    raw: JSON.stringify(row),
  };
}

function idIn(value: unknown): string {
  const id = numericId(value);
  if (id !== null) return id;
  throw new ProviderError(
    'unknown',
    stage,
    'a chargeback carries no id, of its own or of its payment',
  );
}
