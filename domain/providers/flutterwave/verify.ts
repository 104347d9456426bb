import { type ProviderCapture, ProviderError, type Verification } from '../provider.ts';
import { isNotFound, recordOf } from './answers.ts';
import type { Line } from './call.ts';
import { readList } from './pages.ts';
import {
  failureOf,
  idOf,
  readCapture,
  stateOf,
  statusOf,
  type Transaction,
  unknownChannel,
} from './transaction.ts';

/**
 * What became of a reference. Nothing is there before the payer tries, and every try is a transaction of its own; asked by reference,
 * Flutterwave shows one of them and does not say which. So all of them are listed, and each that took money is read whole by its id.
 */
export async function verify(line: Line, reference: string): Promise<Verification> {
  const answer = await line.get(
    `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`,
    'verify',
  );
  if (isNotFound(answer, 'transaction')) return absent(answer.raw);
  const shown = recordOf(answer, 'verify');
  const rows = await readList(line, {
    path: '/transactions',
    query: { tx_ref: reference },
    thing: 'transaction',
    stage: 'verify',
  });
  const others = rows.filter((row) => row.tx_ref === reference && !isSame(row, shown));
  const whole = await readWhole(
    line,
    others.filter(isPaid).map((each) => idOf(each)),
  );
  const tries = [
    shown,
    ...others.filter((row) => !isPaid(row)),
    ...whole.map(({ transaction }) => transaction),
  ];
  return summaryOf(tries, [answer.raw, ...whole.map(({ raw }) => raw)].join('\n'));
}

/** More successes than this under one reference are no accident of a payer's. */
const MOST_SUCCESSES = 20;

/** Rows of a list leave things out, and none of them may count as money. */
async function readWhole(
  line: Line,
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
    const answer = await line.get(`/transactions/${id}/verify`, 'verify');
    if (isNotFound(answer, 'transaction'))
      throw new ProviderError('unknown', 'verify', 'a payment that is listed is not found');
    const transaction = recordOf(answer, 'verify');
    if (idOf(transaction) !== id)
      throw new ProviderError('unknown', 'verify', 'asked for one payment, the answer is another');
    found.push({ transaction, raw: answer.raw });
  }
  return found;
}

/** A try is the same one as shown before; not so when it was paid meanwhile. */
function isSame(row: Transaction, shown: Transaction): boolean {
  return String(row.id) === String(shown.id) && (isPaid(shown) || !isPaid(row));
}

function isPaid(transaction: Transaction): boolean {
  return stateOf(transaction) === 'paid';
}

/** What several tries say together: money before all, then what nobody can read, then a try that may still become money. */
const strongestFirst: Verification['state'][] = ['paid', 'unknown', 'unpaid', 'retrying'];

function summaryOf(tries: Transaction[], raw: string): Verification {
  const strengthOf = (transaction: Transaction) => strongestFirst.indexOf(stateOf(transaction));
  const told = tries.reduce((best, next) => (strengthOf(next) < strengthOf(best) ? next : best));
  const state = stateOf(told);
  const paid = tries.filter(isPaid);
  const captures = paid.map((each) => readCapture(each)).sort(byTime);
  const unread =
    state === 'paid'
      ? tries
          .filter((each) => stateOf(each) === 'unknown')
          .map((each) => `status "${statusOf(each)}"`)
      : [];
  const unknownWords = [...new Set([...paid.flatMap(unknownChannel), ...unread])];
  const failureMessage = state === 'retrying' ? failureOf(told) : null;
  return {
    state,
    status: statusOf(told),
    captures,
    hasRefunds: false,
    unknownWords,
    failureMessage,
    raw,
  };
}

/** The money that came first is the charge's. Ids grow; what has no time comes last. */
function byTime(a: ProviderCapture, b: ProviderCapture): number {
  const [timeA, timeB] = [a, b].map(
    ({ createdAt }) => createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
  ) as [number, number];
  return timeA - timeB || Number(a.providerPaymentId) - Number(b.providerPaymentId);
}

/** What Flutterwave's "not found" says of a reference: nobody tried to pay it yet. */
function absent(raw: string): Verification {
  return {
    state: 'absent',
    status: 'not found',
    captures: [],
    hasRefunds: false,
    unknownWords: [],
    failureMessage: null,
    raw,
  };
}
