import { deadlineOf } from '../http.ts';
import type { CallOptions, Verification } from '../provider.ts';
import { absentPayment } from '../read.ts';
import { bodyOf, errorOf, isNotFound } from './answers.ts';
import type { Client } from './client.ts';
import { isRefunded, readCapture, statusOf, unknownChannel } from './wire.ts';

export async function verify(
  client: Client,
  reference: string,
  options: CallOptions,
): Promise<Verification> {
  const query = `paymentReference=${encodeURIComponent(reference)}`;
  const path = `/api/v2/merchant/transactions/query?${query}`;
  const answer = await client.call({ method: 'GET', path, stage: 'verify' }, deadlineOf(options));
  if (isNotFound(answer)) return absentPayment(answer.raw);
  const transaction = bodyOf(answer);
  if (!transaction) throw errorOf(answer, 'verify');
  return readTransaction(transaction, answer.raw);
}

function readTransaction(transaction: Record<string, unknown>, raw: string): Verification {
  const { state, status } = statusOf(transaction);
  const isPaid = state === 'paid';
  return {
    state,
    status,
    captures: isPaid ? [readCapture(transaction, 'verify')] : [],
    hasRefunds: isRefunded(status),
    unknownWords: isPaid ? unknownChannel(transaction) : [],
    // Monnify does not say why a payment failed.
    failureMessage: state === 'declined' ? 'The payment was declined.' : null,
    raw,
  };
}
