import { recordOf } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { absentPayment, statusOf, verificationOf } from '../adapter/payments.ts';
import { roundedKoboOfNaira } from '../adapter/read.ts';
import type { Verification } from '../port/payment.ts';
import { answerForm, isNotFound } from './answers.ts';
import { transactionForm } from './wire.ts';

/** Monnify does not say why a payment failed. */
export async function verify(client: Client, reference: string): Promise<Verification> {
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
}
