import { nextBusinessDay } from '../../shared/lagos.ts';
import { DAY_MS } from '../../shared/units.ts';
import { type ProviderDefinition, sameBaseUrl } from '../definition.ts';
import type { Capabilities } from '../provider.ts';
import { clientOf } from './client.ts';
import { checkCredentials, credentialFields } from './credentials.ts';
import { listDisputes } from './disputes.ts';
import { readNotification } from './notification.ts';
import { createPayment, listPayments } from './payments.ts';
import { createRefund, findRefund, listRefunds } from './refunds.ts';
import { listLines, listSettlements } from './settlements.ts';
import { verify } from './verify.ts';

const capabilities: Capabilities = {
  rejectsDuplicateReferences: true,
  paysAgain: 'never',
  idempotentRefunds: false,
  refundLists: 'of_payment',
  disputes: 'api',
  settlements: 'list',
  // A pay page never expires: a payment may be made the day after its charge has ended.
  paymentLists: { paidLaterMs: 2 * DAY_MS },
};

export const paystack: ProviderDefinition = {
  name: 'paystack',
  baseUrls: sameBaseUrl('PAYSTACK_BASE_URL', 'https://api.paystack.co'),
  // For each account, live and test separately. (https://paystack.com/docs/api/rate-limits/)
  budgets: {
    live: { perMinute: 600, separate: { create: 1_200, verify: 3_000 } },
    test: { perMinute: 100 },
  },
  credentialFields,
  capabilities,
  // Refunds and lost disputes are deducted. (https://paystack.com/docs/api/settlement/)
  settlementTerms: { settlementDay: nextBusinessDay, deductsRefunds: true },
  open(account) {
    const client = clientOf(account);
    return {
      capabilities,
      create: (order, options) => createPayment(client, order, options),
      verify: (reference, options) => verify(client, reference, options),
      refund: (order, options) => createRefund(client, order, options),
      findRefund: (wanted, options) => findRefund(client, wanted, options),
      listRefunds: (payment, options) => listRefunds(client, payment, options),
      listAccountRefunds: null,
      listDisputes: (query, options) => listDisputes(client, query, options),
      listSettlements: (query, options) => listSettlements(client, query, options),
      listLines: (query, options) => listLines(client, query, options),
      findSettlement: async () => undefined,
      readSettlement: () => undefined,
      listPayments: (query, options) => listPayments(client, query, options),
      checkCredentials: (options) => checkCredentials(client, options),
      readNotification: (headers, body) => readNotification(account, headers, body),
    };
  },
};
