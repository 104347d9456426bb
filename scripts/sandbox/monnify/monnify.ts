import type { Provider } from '../context.ts';
import { refusals } from './answers.ts';
import { initTransaction } from './init-transaction.ts';
import { identify, login } from './login.ts';
import {
  paymentNotification,
  refundNotification,
  rejectionNotification,
  settlementNotification,
  sign,
} from './notifications.ts';
import { getRefund, getRefunds, initiateRefund } from './refunds.ts';
import { searchTransactions } from './search.ts';
import { settlementReference } from './settlement-reference.ts';
import { findBySettlementReference, getSettlementDetail } from './settlements.ts';
import { newTransactionReference } from './transaction-reference.ts';
import { getTransaction, queryTransaction } from './transactions.ts';

/** Monnify's wire format. It has no API and no notification for disputes. */
export const monnify: Provider = {
  name: 'monnify',
  title: 'Monnify',
  slot: 'provider_c',
  credentials: ['api_key', 'secret_key', 'contract_code'],
  endpoints: [
    login,
    initTransaction,
    queryTransaction,
    getTransaction,
    searchTransactions,
    initiateRefund,
    getRefunds,
    getRefund,
    findBySettlementReference,
    getSettlementDetail,
  ],
  refusals,
  identify,
  feeKobo,
  paymentName: ({ accessCode }) => accessCode,
  settlementName: settlementReference,
  newAccessCode: newTransactionReference,
  declineIsFinal: true,
  refundsFromWallet: true,
  unreadableAddress: /\|/,
  returnQuery: ({ reference }) => ({ paymentReference: reference }),
  notifications: {
    payment: paymentNotification,
    rejection: rejectionNotification,
    refund: refundNotification,
    dispute: () => undefined,
    settlement: settlementNotification,
  },
  sign,
};

/**
 * 1.5 % rounded up to whole kobo, and never above ₦2,000. In whole numbers, so that no fraction
 * rounds by accident.
 */
function feeKobo(amountKobo: number): number {
  return Math.min(200_000, Math.ceil((amountKobo * 15) / 1000));
}
