import { MINUTE_MS } from '../../shared/units.ts';
import { recordOf } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import { readPageAt, readWhole } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  absentPayment,
  listedPayments,
  scenarioOf,
  stateOf,
  verificationOf,
} from '../adapter/payments.ts';
import { dateOf, idOf, nairaOf, payPageIn, type Row, UnclearError } from '../adapter/read.ts';
import { answerForm, isNotFound, listOf } from './answers.ts';
import { transactionForm, windowSince } from './wire.ts';

const MAX_MINUTES = 1440;

/** Whole minutes. Absent values are left out: a `null` may be refused. */
export const create: Answer<'create'> = async (client, order) => {
  const minutes = Math.min(MAX_MINUTES, Math.max(1, Math.floor(order.expiresInMs / MINUTE_MS)));
  const answer = await client.post('/payments', {
    tx_ref: order.reference,
    amount: nairaOf(order.amountKobo),
    currency: order.currency,
    redirect_url: order.callbackUrl,
    customer: {
      email: order.email,
      name: order.name ?? undefined,
      phonenumber: order.phone ?? undefined,
    },
    customizations: { description: order.description ?? undefined },
    meta: { reference: order.reference, ...scenarioOf(order) },
    configurations: { session_duration: minutes },
  });
  const { link } = recordOf(answerForm, answer);
  return { url: payPageIn(link), linkExpiresInMs: minutes * MINUTE_MS };
};

/**
 * Each try is a transaction. A query by reference returns any one, so all are listed, and the
 * successful ones read in full.
 */
export const verify: Answer<'verify', ListClient> = async (client, reference) => {
  const query = { tx_ref: reference };
  const search = new URLSearchParams(query);
  const answer = await client.get(`/transactions/verify_by_reference?${search}`);
  if (isNotFound(answer, 'transaction')) return absentPayment(answer.raw);
  const shown = recordOf(answerForm, answer);
  const list = listOf(client, { path: '/transactions', query, thing: 'transaction' });
  const rows = await readWhole(list);
  const others = rows.filter((row) => row.tx_ref === reference && !isSame(row, shown));
  const paidIds = others.filter(isPaid).map(({ id }) => idOf(id));
  const whole = await readEach(client, paidIds);
  const unpaid = others.filter((row) => !isPaid(row));
  const tries = [shown, ...unpaid, ...whole.map(({ transaction }) => transaction)];
  const evidence = [answer.raw, ...whole.map(({ raw }) => raw)];
  return verificationOf(transactionForm, tries, evidence.join('\n'));
};

/** More are no payer's mistake. */
const MOST_SUCCESSES = 20;

/** Rows of a list are incomplete, so none of them counts as money. */
async function readEach(client: ListClient, ids: string[]) {
  if (ids.length > MOST_SUCCESSES)
    throw new UnclearError(`more than ${MOST_SUCCESSES} payments under one reference`);
  const found: { transaction: Row; raw: string }[] = [];
  for (const id of ids) {
    const answer = await client.get(`/transactions/${id}/verify`);
    if (isNotFound(answer, 'transaction'))
      throw new UnclearError('a payment that is listed is not found');
    const transaction = recordOf(answerForm, answer);
    if (idOf(transaction.id) !== id)
      throw new UnclearError('asked for one payment, the answer is another');
    found.push({ transaction, raw: answer.raw });
  }
  return found;
}

/** The row is the try that was shown, unless it was paid meanwhile. */
function isSame(row: Row, shown: Row): boolean {
  return String(row.id) === String(shown.id) && (isPaid(shown) || !isPaid(row));
}

function isPaid(transaction: Row): boolean {
  return stateOf(transactionForm, transaction) === 'paid';
}

/** Only the refund list says what was refunded since. */
export const listPayments: Answer<'listPayments', ListClient> = async (client, asked) => {
  const { from, to, cursor, paidOnly = false } = asked;
  const days = windowSince(from, to);
  const list = listOf(client, {
    path: '/transactions',
    query: paidOnly ? { ...days, status: 'successful' } : days,
    thing: 'transaction',
    isTolerant: true,
  });
  const { rows, next } = await readPageAt(list, cursor, (each) => each);
  return {
    rows: listedPayments(transactionForm, rows),
    next: isBefore(from, rows) ? null : next,
  };
};

/** A list goes by days; one that is not newest first is read to its end. */
function isBefore(from: Date, rows: readonly Row[]): boolean {
  const times = rows.map((row) => dateOf(row.created_at)?.getTime() ?? Number.POSITIVE_INFINITY);
  const isNewestFirst = times.every((time, n) => n === 0 || time <= times[n - 1]!);
  return times.length > 1 && isNewestFirst && times[0]! < from.getTime();
}
