import type { Provider } from '../context.ts';
import { refusals } from './answers.ts';
import { creation } from './create.ts';
import { transactionReference } from './dates.ts';
import { identify, login } from './login.ts';
import { notifications, sign } from './notifications.ts';
import { refunds } from './refunds.ts';
import { settlementReference, settlements } from './settlements.ts';
import { transactions } from './transactions.ts';

/** 1.5 % rounded up to whole kobo, and never above ₦2,000. */
const feeKobo = (amountKobo: number) => Math.min(200_000, Math.ceil((amountKobo * 15) / 1000));

/** Monnify's wire format. It has no API and no notification for disputes. */
export const monnify: Provider = {
  name: 'monnify',
  title: 'Monnify',
  slot: 'provider_c',
  credentials: ['api_key', 'secret_key', 'contract_code'],
  endpoints: [login, creation, transactions, refunds, settlements].flat(),
  paymentName: ({ accessCode }) => accessCode,
  settlementName: settlementReference,
  accessCodeOf: transactionReference,
  declineIsFinal: true,
  refundsFromWallet: true,
  unreadableAddress: /\|/,
  returnQuery: ({ reference }) => ({ paymentReference: reference }),
  ...{ refusals, identify, feeKobo, notifications, sign },
};
