import type { CallOptions, Verification } from '../provider.ts';
import { absentPayment, isObject, plainText } from '../read.ts';
import { errorOf, isGood, isNotFound } from './answers.ts';
import type { Client } from './client.ts';
import { readCapture, statusOf, unknownChannel } from './wire.ts';

export async function verify(
  client: Client,
  reference: string,
  options: CallOptions,
): Promise<Verification> {
  const path = `/transaction/verify/${encodeURIComponent(reference)}`;
  const answer = await client({ ...options, method: 'GET', stage: 'verify' }, path);
  if (isNotFound(answer)) return absentPayment(answer.raw);
  if (isGood(answer) && isObject(answer.json.data))
    return readTransaction(answer.json.data, answer.raw);
  throw errorOf(answer, 'verify');
}

function readTransaction(transaction: Record<string, unknown>, raw: string): Verification {
  const { state, status } = statusOf(transaction);
  const isPaid = state === 'paid';
  return {
    state,
    status,
    captures: isPaid ? [readCapture(transaction, 'verify')] : [],
    hasRefunds: isPaid && status !== 'success',
    unknownWords: isPaid ? unknownChannel(transaction) : [],
    failureMessage:
      state === 'declined'
        ? plainText(transaction.gateway_response) || 'The payment was declined.'
        : null,
    raw,
  };
}
