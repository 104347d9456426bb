import { recordOf } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { absentPayment, verificationOf } from '../adapter/payments.ts';
import type { Verification } from '../port/payment.ts';
import { answerForm, isNotFound } from './answers.ts';
import { transactionForm } from './wire.ts';

export async function verify(client: Client, reference: string): Promise<Verification> {
  const answer = await client.get(`/transaction/verify/${encodeURIComponent(reference)}`);
  if (isNotFound(answer, 'transaction')) return absentPayment(answer.raw);
  return verificationOf(transactionForm, [recordOf(answerForm, answer)], answer.raw);
}
