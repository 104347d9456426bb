import { deadlineOf } from '../http.ts';
import type { CallOptions, Verification } from '../provider.ts';
import { absentPayment, roundedKoboOfNaira } from '../read.ts';
import { bodyOf, errorOf, isNotFound } from './answers.ts';
import type { Client } from './client.ts';
import { isReversed, readCapture, statusOf, unknownChannel } from './wire.ts';

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
  if (isReversed(status) && !roundedKoboOfNaira(transaction.amountPaid))
    return { ...reversedUnstated(status), raw };
  const isPaid = state === 'paid';
  return {
    state,
    status,
    captures: isPaid ? [readCapture(transaction, 'verify')] : [],
    hasRefunds: isReversed(status),
    unknownWords: isPaid ? unknownChannel(transaction) : [],
    // Monnify does not say why a payment failed.
    failureMessage: state === 'declined' ? 'The payment was declined.' : null,
    raw,
  };
}

/** Money came and went, and nobody says how much: a person has to look. */
function reversedUnstated(status: string): Omit<Verification, 'raw'> {
  const unknownWords = [`status "${status}" without the amount that was paid`];
  const unread = { captures: [], hasRefunds: false, failureMessage: null };
  return { state: 'unpaid', status, unknownWords, ...unread };
}
