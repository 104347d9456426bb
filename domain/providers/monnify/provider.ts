import { inLagos, lagosDay, nextBusinessDay } from '../../shared/lagos.ts';
import { DAY_MS } from '../../shared/units.ts';
import { unpublishedBudgets } from '../budget.ts';
import type { ProviderDefinition } from '../definition.ts';
import type { Capabilities } from '../provider.ts';
import { openClient } from './client.ts';
import { checkCredentials, credentialFields } from './credentials.ts';
import { readNotification } from './notification.ts';
import { createPayment, listPayments } from './payments.ts';
import { createRefund, findRefund, listRefunds } from './refunds.ts';
import { findSettlement, listLines, readSettlement } from './settlements.ts';
import { verify } from './verify.ts';

const capabilities: Capabilities = {
  rejectsDuplicateReferences: true,
  // The payer may send another transfer to the same account.
  paysAgain: 'unlisted',
  idempotentRefunds: true,
  refundLists: 'of_payment',
  // Monnify reports disputes by e-mail and on its dashboard.
  disputes: 'none',
  settlements: 'by_payment',
  // A transfer may arrive long after its pay page has expired.
  paymentLists: { paidLaterMs: DAY_MS },
};

export const monnify: ProviderDefinition = {
  name: 'monnify',
  baseUrls: {
    test: { variable: 'MONNIFY_TEST_BASE_URL', default: 'https://sandbox.monnify.com' },
    live: { variable: 'MONNIFY_LIVE_BASE_URL', default: 'https://api.monnify.com' },
  },
  budgets: unpublishedBudgets,
  credentialFields,
  capabilities,
  settlementTerms: { settlementDay, deductsRefunds: false },
  open(account) {
    const client = openClient(account);
    return {
      capabilities,
      create: (order, options) => createPayment(client, account, order, options),
      verify: (reference, options) => verify(client, reference, options),
      refund: (order, options) => createRefund(client, order, options),
      findRefund: (wanted, options) => findRefund(client, wanted, options),
      listRefunds: (payment, options) => listRefunds(client, payment, options),
      listAccountRefunds: null,
      listDisputes: async () => [],
      listSettlements: async () => ({ rows: [], next: null }),
      listLines: (query, options) => listLines(client, query, options),
      findSettlement: (paymentId, options) => findSettlement(client, paymentId, options),
      readSettlement,
      listPayments: (query, options) => listPayments(client, query, options),
      checkCredentials: (options) => checkCredentials(client, options),
      readNotification: (headers, body) => readNotification(account, headers, body),
    };
  },
};

/** The hour in Lagos at which Monnify pays out. */
const SETTLEMENT_HOUR = 22;

/**
 * Bank transfers are paid out at ten in the evening of their day, everything else on the next
 * business day. Refunds come out of a wallet.
 * (https://developers.monnify.com/docs/collections/settlements)
 */
export function settlementDay(capturedAt: Date, channel: string): string {
  if (channel !== 'bank_transfer') return nextBusinessDay(capturedAt);
  const at = inLagos(capturedAt);
  return lagosDay((at.hour < SETTLEMENT_HOUR ? at : at.plus({ days: 1 })).toJSDate());
}
