import { MINUTE_MS } from '../../shared/units.ts';
import { recordOf } from '../adapter/answers.ts';
import { readPageAt } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  absentPayment,
  listedPayments,
  scenarioOf,
  statusOf,
  verificationOf,
} from '../adapter/payments.ts';
import { nairaOf, payPageIn, type Row, roundedKoboOfNaira, UnclearError } from '../adapter/read.ts';
import { answerForm, isNotFound, listOf } from './answers.ts';
import { transactionForm } from './wire.ts';

/** No setting changes that. */
const LINK_EXPIRES_IN_MS = 40 * MINUTE_MS;

export const create: Answer<'create'> = async (client, order) => {
  const answer = await client.post('/api/v1/merchant/transactions/init-transaction', {
    amount: nairaOf(order.amountKobo),
    currencyCode: order.currency,
    contractCode: client.account.credentials.contract_code ?? '',
    paymentReference: order.reference,
    customerEmail: order.email,
    customerName: order.name ?? order.email,
    paymentDescription: order.description ?? `Payment ${order.reference}`,
    redirectUrl: order.callbackUrl,
    metaData: {
      ...(order.phone !== null && { customer_phone: order.phone }),
      ...scenarioOf(order),
    },
  });
  const created = recordOf(answerForm, answer);
  if (created.paymentReference !== order.reference)
    throw new UnclearError('the answer is about another reference');
  return { url: payPageIn(created.checkoutUrl), linkExpiresInMs: LINK_EXPIRES_IN_MS };
};

export const verify: Answer<'verify'> = async (client, reference) => {
  const query = `paymentReference=${encodeURIComponent(reference)}`;
  const answer = await client.get(`/api/v2/merchant/transactions/query?${query}`);
  const { raw } = answer;
  if (isNotFound(answer)) return absentPayment(raw);
  const transaction = recordOf(answerForm, answer);
  const status = statusOf(transactionForm, transaction);
  if (!transactionForm.goesBack[status] || roundedKoboOfNaira(transaction.amountPaid))
    return verificationOf(transactionForm, [transaction], raw);
  // Money came and went, and nobody says how much: a person has to look.
  const unknownWords = [`status "${status}" without the amount that was paid`];
  return { ...absentPayment(raw), state: 'unpaid', status, unknownWords };
};

/** Not filtered by status: Monnify's sources differ in its words, which could hide payments. */
export const listPayments: Answer<'listPayments'> = (client, { from, to, cursor }) => {
  const query = { from: String(from.getTime()), to: String(to.getTime()) };
  const list = listOf(client, { path: '/api/v1/transactions/search', query, isTolerant: true });
  return readPageAt(list, cursor, (rows) => listedPayments(transactionForm, rows.map(asQueried)));
};

const paidInFull = new Set(['PAID', 'SUCCESSFUL', 'REVERSED', 'REFUNDED']);

/** Some forms state only what was asked: in full, unless the status says otherwise. */
function asQueried(row: Row): Row {
  const isPaidInFull = paidInFull.has(statusOf(transactionForm, row));
  const askedInFull = isPaidInFull ? (row.payableAmount ?? row.amount) : undefined;
  const amountPaid = row.amountPaid ?? askedInFull;
  return { ...row, amountPaid, currency: row.currencyCode, paidOn: row.completedOn };
}
