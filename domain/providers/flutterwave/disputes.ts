import { type DisputeQuery, type ProviderDispute, ProviderError } from '../provider.ts';
import { dateOf, plainText, roundedKoboOfNaira } from '../read.ts';
import type { Line } from './call.ts';
import { windowSince } from './dates.ts';
import { readList } from './pages.ts';

/** `status` of a chargeback → ours. One the merchant `declined` to pay is contested, and not decided. (https://developer.flutterwave.com/v3.0/docs/chargebacks) */
const states: Record<string, ProviderDispute['state']> = {
  initiated: 'open',
  declined: 'open',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
};

const stage = 'list disputes';

/** Chargebacks of a payment, or all that began since a moment. None is left out for want of an id: then the list is not read at all. */
export async function listDisputes(
  line: Line,
  query: DisputeQuery,
  now: Date,
): Promise<ProviderDispute[]> {
  const since = 'since' in query ? query.since : query.payment.capturedAt;
  const rows = await readList(line, {
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

/** Flutterwave has been seen to write the hour of a chargeback on a clock of twelve: 19:01 for 07:01. */
const HALF_A_DAY_MS = 12 * 3_600_000;

/** One without a time is not known to be older. */
function mayBeSince(row: Record<string, unknown>, since: Date): boolean {
  const beganAt = dateOf(row.created_at);
  return beganAt === null || beganAt.getTime() >= since.getTime() - HALF_A_DAY_MS;
}

function readDispute(row: Record<string, unknown>): ProviderDispute {
  const status = plainText(row.status, 50).toLowerCase();
  return {
    providerDisputeId: idIn(row.id),
    providerPaymentId: idIn(row.transaction_id),
    state: Object.hasOwn(states, status) ? states[status]! : 'unknown',
    status,
    amountKobo: roundedKoboOfNaira(row.amount),
    raw: JSON.stringify(row),
  };
}

function idIn(value: unknown): string {
  const id = typeof value === 'number' ? String(value) : plainText(value);
  if (!/^\d{1,20}$/.test(id))
    throw new ProviderError(
      'unknown',
      stage,
      'a chargeback carries no id, of its own or of its payment',
    );
  return id;
}
