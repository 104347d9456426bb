import type { Provider } from '../context.ts';
import { refusals } from './answers.ts';
import { creation } from './create.ts';
import { disputes } from './disputes.ts';
import { notifications, sign } from './notifications.ts';
import { refunds } from './refunds.ts';
import { settlements } from './settlements.ts';
import { transactions } from './transactions.ts';

/** Paystack's wire format. Everything below only says what things are called there. */
export const paystack: Provider = {
  name: 'paystack',
  title: 'Paystack',
  slot: 'provider_a',
  credentials: ['secret_key'],
  endpoints: [creation, transactions, refunds, settlements, disputes].flat(),
  returnQuery: ({ reference }) => ({ trxref: reference, reference }),
  ...{ refusals, feeKobo, notifications, sign },
};

/** 1.5 % rounded up, plus ₦100 from ₦2,500 on, and never above ₦2,000. */
function feeKobo(amountKobo: number): number {
  const flatKobo = amountKobo >= 250_000 ? 10_000 : 0;
  return Math.min(200_000, Math.ceil((amountKobo * 15) / 1000) + flatKobo);
}
