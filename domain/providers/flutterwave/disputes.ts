import { DAY_MS } from '../../shared/units.ts';
import type { ListClient } from '../adapter/client.ts';
import { readWhole } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dateOf,
  idOf,
  plainText,
  type Row,
  roundedKoboOfNaira,
  stateIn,
  wordOf,
} from '../adapter/read.ts';
import type { ProviderDispute } from '../port/dispute.ts';
import { listOf } from './answers.ts';
import { windowSince } from './wire.ts';

/**
 * One the merchant `declined` is not decided.
 * (https://developer.flutterwave.com/v3.0/docs/chargebacks)
 */
const states: Record<string, ProviderDispute['state']> = {
  initiated: 'open',
  declined: 'open',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
};

export const listDisputes: Answer<'listDisputes', ListClient> = async (client, query) => {
  const since = 'since' in query ? query.since : query.payment.capturedAt;
  const days = windowSince(since, client.account.clock());
  const list = listOf(client, { path: '/chargebacks', query: days, thing: 'chargeback' });
  const rows = await readWhole(list);
  if ('since' in query) return rows.filter((row) => mayBeSince(row, since)).map(readDispute);
  const { providerPaymentId } = query.payment;
  return rows.map(readDispute).filter((each) => each.providerPaymentId === providerPaymentId);
};

/** Hours are sometimes in 12-hour form: 07:01 for 19:01. */
const HALF_A_DAY_MS = DAY_MS / 2;

/** One without a time may be newer. */
function mayBeSince(row: Row, since: Date): boolean {
  const beganAt = dateOf(row.created_at);
  return beganAt === null || beganAt.getTime() >= since.getTime() - HALF_A_DAY_MS;
}

function readDispute(row: Row): ProviderDispute {
  const status = wordOf(row.status);
  return {
    providerDisputeId: idOf(row.id),
    providerPaymentId: idOf(row.transaction_id),
    state: stateIn(states, status),
    awaitsResponse: status === 'initiated',
    status,
    amountKobo: roundedKoboOfNaira(row.amount),
    reason: plainText(row.comment) || null,
    respondBy: dateOf(row.due_date),
    raw: JSON.stringify(row),
  };
}
