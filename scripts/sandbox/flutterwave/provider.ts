import type { Provider } from '../context.ts';
import type { Payment } from '../records.ts';
import { refusals } from './answers.ts';
import { creation } from './create.ts';
import { disputes } from './disputes.ts';
import { feeKobo, stampDutyKobo } from './fees.ts';
import { notifications, sign } from './notifications.ts';
import { refunds } from './refunds.ts';
import { settlements } from './settlements.ts';
import { transactionStatus } from './transaction-shape.ts';
import { transactions } from './transactions.ts';

/** Flutterwave's wire format, version 3: what is below `/v3` there is below `/flutterwave` here. */
export const flutterwave: Provider = {
  name: 'flutterwave',
  title: 'Flutterwave',
  slot: 'provider_b',
  credentials: ['secret_key', 'secret_hash'],
  endpoints: [creation, transactions, refunds, settlements, disputes].flat(),
  keepsDeclined: true,
  ...{ refusals, feeKobo, stampDutyKobo, returnQuery, notifications, sign },
};

/** Who leaves without having tried has cancelled, and there is no transaction to name. */
function returnQuery({ reference }: Payment, last: Payment | undefined): Record<string, string> {
  if (!last) return { status: 'cancelled', tx_ref: reference };
  return { status: transactionStatus(last), tx_ref: reference, transaction_id: String(last.id) };
}
