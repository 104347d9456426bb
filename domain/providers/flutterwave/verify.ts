import type { ProviderCapture, Verification } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { absentPayment } from '../read.ts';
import { isNotFound, recordOf } from './answers.ts';
import type { Client } from './client.ts';
import { readList } from './pages.ts';
import {
  failureOf,
  idOf,
  readCapture,
  stateOf,
  statusOf,
  type Transaction,
  unknownChannel,
} from './wire.ts';

/**
 * What became of a reference. Each try of the payer is a transaction of its own, and there is none
 * before the first. A query by reference returns one of them, nobody knows which. So all of them
 * are listed, and each successful one is read in full by its id.
 */
export async function verify(client: Client, reference: string): Promise<Verification> {
  const answer = await client.get(
    `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`,
    'verify',
  );
  if (isNotFound(answer, 'transaction')) return absentPayment(answer.raw);
  const shown = recordOf(answer, 'verify');
  const rows = await readList(client, {
    path: '/transactions',
    query: { tx_ref: reference },
    thing: 'transaction',
    stage: 'verify',
  });
  const others = rows.filter((row) => row.tx_ref === reference && !isSame(row, shown));
  const whole = await readWhole(
    client,
    others.filter(isPaid).map((each) => idOf(each)),
  );
  const tries = [
    shown,
    ...others.filter((row) => !isPaid(row)),
    ...whole.map(({ transaction }) => transaction),
  ];
  return summaryOf(tries, [answer.raw, ...whole.map(({ raw }) => raw)].join('\n'));
}

/** More payments than this under one reference are no payer's mistake. */
const MOST_SUCCESSES = 20;

/** Rows of a list are incomplete, so none of them counts as money. */
async function readWhole(
  client: Client,
  ids: string[],
): Promise<{ transaction: Transaction; raw: string }[]> {
  if (ids.length > MOST_SUCCESSES)
    throw new ProviderError(
      'unknown',
      'verify',
      `more than ${MOST_SUCCESSES} payments under one reference`,
    );
  const found: { transaction: Transaction; raw: string }[] = [];
  for (const id of ids) {
    const answer = await client.get(`/transactions/${id}/verify`, 'verify');
    if (isNotFound(answer, 'transaction'))
      throw new ProviderError('unknown', 'verify', 'a payment that is listed is not found');
    const transaction = recordOf(answer, 'verify');
    if (idOf(transaction) !== id)
      throw new ProviderError('unknown', 'verify', 'asked for one payment, the answer is another');
    found.push({ transaction, raw: answer.raw });
  }
  return found;
}

/** The row is the try that was shown, unless it was paid meanwhile. */
function isSame(row: Transaction, shown: Transaction): boolean {
  return String(row.id) === String(shown.id) && (isPaid(shown) || !isPaid(row));
}

function isPaid(transaction: Transaction): boolean {
  return stateOf(transaction) === 'paid';
}

/** Which try decides: a payment, then an unknown status, then a try that may still succeed. */
const byPriority: Verification['state'][] = ['paid', 'unknown', 'unpaid', 'retrying'];

function summaryOf(tries: Transaction[], raw: string): Verification {
  const priorityOf = (transaction: Transaction) => byPriority.indexOf(stateOf(transaction));
  const decisive = tries.reduce((best, next) =>
    priorityOf(next) < priorityOf(best) ? next : best,
  );
  const state = stateOf(decisive);
  const paid = tries.filter(isPaid);
  const captures = paid.map((each) => readCapture(each)).sort(byTime);
  const unknownStatuses =
    state === 'paid'
      ? tries
          .filter((each) => stateOf(each) === 'unknown')
          .map((each) => `status "${statusOf(each)}"`)
      : [];
  const unknownWords = [...new Set([...paid.flatMap(unknownChannel), ...unknownStatuses])];
  const failureMessage = state === 'retrying' ? failureOf(decisive) : null;
  return {
    state,
    status: statusOf(decisive),
    captures,
    hasRefunds: captures.some(({ isReversed }) => isReversed),
    unknownWords,
    failureMessage,
    raw,
  };
}

/** The first payment is the charge's. Ids grow; a payment without a time comes last. */
function byTime(a: ProviderCapture, b: ProviderCapture): number {
  const [timeA, timeB] = [a, b].map(
    ({ createdAt }) => createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
  ) as [number, number];
  return timeA - timeB || Number(a.providerPaymentId) - Number(b.providerPaymentId);
}
