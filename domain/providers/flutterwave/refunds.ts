import {
  type PaidPayment,
  ProviderError,
  type ProviderRefund,
  type RefundOrder,
  type WantedRefund,
} from '../provider.ts';
import { koboOfNaira, nairaOf, plainText, refundIdIn } from '../read.ts';
import { isNotFound, recordOf } from './answers.ts';
import type { Line } from './call.ts';
import { windowSince } from './dates.ts';
import { readList } from './pages.ts';

/** `status` of a refund → ours. `completed` alone says that the merchant was debited, not that the payer has it. (https://developer.flutterwave.com/v3.0/docs/refunds) */
const states: Record<string, ProviderRefund['state']> = {
  new: 'processing',
  processing: 'processing',
  'pending-momo': 'processing',
  completed: 'processing',
  failed: 'failed',
};

/** Sends money back. Flutterwave has no field for our id and none that makes a repeat safe: the comment carries it. */
export async function createRefund(line: Line, order: RefundOrder): Promise<ProviderRefund> {
  const body = {
    amount: nairaOf(order.amountKobo),
    comments: `${order.refundId}: ${plainText(order.reason, 200)}`,
  };
  const answer = await line.post(
    `/transactions/${encodeURIComponent(order.providerPaymentId)}/refund`,
    body,
    'refund',
  );
  const made = readRefund(recordOf(answer, 'refund'), answer.raw, 'refund');
  return { ...made, refundId: order.refundId };
}

/** By Flutterwave's id where that is known, else by ours in a comment. */
export async function findRefund(
  line: Line,
  wanted: WantedRefund,
  now: Date,
): Promise<ProviderRefund | undefined> {
  const { providerRefundId: id, refundId, payment } = wanted;
  const stage = 'find refund';
  if (id === null) {
    const row = (await readRows(line, payment, now, stage)).find(
      (each) => ourIdOf(each) === refundId,
    );
    return row && readRefund(row, JSON.stringify(row), stage);
  }
  const answer = await line.get(`/refunds/${encodeURIComponent(id)}`, stage);
  if (isNotFound(answer, 'refund')) return undefined;
  const found = readRefund(recordOf(answer, stage), answer.raw, stage);
  if (found.providerRefundId === id) return found;
  throw new ProviderError('unknown', stage, 'asked for one refund, the answer is another');
}

/** Every refund of a payment. The list knows no payment to ask for: it is searched for its rows. */
export async function listRefunds(
  line: Line,
  payment: PaidPayment,
  now: Date,
): Promise<ProviderRefund[]> {
  const stage = 'list refunds';
  const rows = await readRows(line, payment, now, stage);
  const its = rows.filter(
    (row) => idIn(row.transaction_id ?? row.tx_id) === payment.providerPaymentId,
  );
  return its.map((row) => readRefund(row, JSON.stringify(row), stage));
}

function readRows(
  line: Line,
  { capturedAt }: PaidPayment,
  now: Date,
  stage: string,
): Promise<Record<string, unknown>[]> {
  return readList(line, {
    path: '/refunds',
    query: windowSince(capturedAt, now),
    thing: 'refund',
    stage,
  });
}

/** No record says when the money arrived, nor why it did not. */
function readRefund(record: Record<string, unknown>, raw: string, stage: string): ProviderRefund {
  const providerRefundId = idIn(record.id);
  if (providerRefundId === '') throw new ProviderError('unknown', stage, 'a refund carries no id');
  const status = plainText(record.status, 50).toLowerCase();
  return {
    providerRefundId,
    refundId: ourIdOf(record),
    amountKobo: koboOfNaira(record.amount_refunded, stage),
    state: stateOf(status),
    status,
    message: null,
    completedAt: null,
    raw,
  };
}

function stateOf(status: string): ProviderRefund['state'] {
  if (status.startsWith('completed-')) return 'completed'; // and how: completed-bank-transfer, completed-mpgs, …
  return Object.hasOwn(states, status) ? states[status]! : 'unknown';
}

function ourIdOf(record: Record<string, unknown>): string | null {
  return refundIdIn(record.comment) ?? refundIdIn(record.comments);
}

function idIn(value: unknown): string {
  const id = typeof value === 'number' ? String(value) : plainText(value);
  return /^\d{1,20}$/.test(id) ? id : '';
}
