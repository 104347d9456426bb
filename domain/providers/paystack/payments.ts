import { recordOf } from '../adapter/answers.ts';
import { readPageAt, readPastAt } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  absentPayment,
  listedPayments,
  scenarioOf,
  stateOf,
  statusOf,
  verificationOf,
} from '../adapter/payments.ts';
import { isObject, payPageIn, plainText, type Row, UnclearError } from '../adapter/read.ts';
import type { PastPayment } from '../port/payment.ts';
import { answerForm, isNotFound, listOf } from './answers.ts';
import { transactionForm } from './wire.ts';

export const create: Answer<'create'> = async (client, order) => {
  const answer = await client.post('/transaction/initialize', {
    email: order.email,
    amount: order.amountKobo,
    currency: order.currency,
    reference: order.reference,
    callback_url: order.callbackUrl,
    metadata: {
      description: order.description,
      customer_name: order.name,
      customer_phone: order.phone,
      ...scenarioOf(order),
    },
  });
  const { authorization_url: url } = recordOf(answerForm, answer);
  return { url: payPageIn(url), linkExpiresInMs: null };
};

export const verify: Answer<'verify'> = async (client, reference) => {
  const answer = await client.get(`/transaction/verify/${encodeURIComponent(reference)}`);
  if (isNotFound(answer, 'transaction')) return absentPayment(answer.raw);
  return verificationOf(transactionForm, [recordOf(answerForm, answer)], answer.raw);
};

export const listPayments: Answer<'listPayments'> = (client, query) => {
  const { from, to, cursor, paidOnly = false } = query;
  const span = { from: from.toISOString(), to: to.toISOString() };
  const list = listOf(client, {
    path: '/transaction',
    query: paidOnly ? { ...span, status: 'success' } : span,
    isTolerant: true,
  });
  return readPageAt(list, cursor, (rows) => listedPayments(transactionForm, rows));
};

/** Rows of this list say all that a verify does. (https://paystack.com/docs/api/transaction/#list) */
export const listPastPayments: Answer<'listPastPayments'> = (client, { from, to, cursor }) => {
  const query = { from: from.toISOString(), to: to.toISOString() };
  const list = listOf(client, { path: '/transaction', query, isTolerant: true });
  return readPastAt(list, cursor, (row) => {
    const state = stateOf(transactionForm, row);
    if (state === 'unknown')
      throw new UnclearError(`its status is not known: "${statusOf(transactionForm, row)}"`);
    return state === 'paid' ? [pastPayment(row)] : [];
  });
};

function pastPayment(row: Row): PastPayment {
  if (plainText(row.reference) === '') throw new UnclearError('a payment carries no reference');
  const { email, first_name, last_name, phone } = isObject(row.customer) ? row.customer : {};
  const names = [first_name, last_name].map((name) => plainText(name, 100)).filter(Boolean);
  return {
    verification: verificationOf(transactionForm, [row], JSON.stringify(row)),
    email: plainText(email, 254) || null,
    name: names.join(' ') || null,
    phone: plainText(phone, 30) || null,
  };
}
