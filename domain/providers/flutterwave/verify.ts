import { recordOf } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import { readWhole } from '../adapter/lists.ts';
import { absentPayment, stateOf, verificationOf } from '../adapter/payments.ts';
import { idOf, type Row, UnclearError } from '../adapter/read.ts';
import type { Verification } from '../port/payment.ts';
import { answerForm, isNotFound } from './answers.ts';
import { listOf } from './pages.ts';
import { transactionForm } from './wire.ts';

/**
 * What became of a reference. Each try of the payer is a transaction of its own, and there is none
 * before the first. A query by reference returns one of them, nobody knows which. So all of them
 * are listed, and each successful one is read in full by its id.
 */
export async function verify(client: ListClient, reference: string): Promise<Verification> {
  const query = new URLSearchParams({ tx_ref: reference });
  const answer = await client.get(`/transactions/verify_by_reference?${query}`);
  if (isNotFound(answer, 'transaction')) return absentPayment(answer.raw);
  const shown = recordOf(answerForm, answer);
  const rows = await readWhole(
    listOf(client, {
      path: '/transactions',
      query: { tx_ref: reference },
      thing: 'transaction',
    }),
  );
  const others = rows.filter((row) => row.tx_ref === reference && !isSame(row, shown));
  const whole = await readEach(
    client,
    others.filter(isPaid).map(({ id }) => idOf(id)),
  );
  const unpaid = others.filter((row) => !isPaid(row));
  const tries = [shown, ...unpaid, ...whole.map(({ transaction }) => transaction)];
  const evidence = [answer.raw, ...whole.map(({ raw }) => raw)];
  return verificationOf(transactionForm, tries, evidence.join('\n'));
}

/** More payments than this under one reference are no payer's mistake. */
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
