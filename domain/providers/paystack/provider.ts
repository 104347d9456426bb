import { nextBusinessDay } from '../../shared/lagos.ts';
import { DAY_MS } from '../../shared/units.ts';
import { type ListClient, secretKeyClient } from '../adapter/client.ts';
import { type Adapter, openAccount } from '../adapter/open.ts';
import { type ProviderDefinition, sameBaseUrl } from '../port/definition.ts';
import type { Capabilities } from '../port/provider.ts';
import { checkCredentials, credentialFields } from './credentials.ts';
import { respondToDispute } from './dispute-responses.ts';
import { listDisputes } from './disputes.ts';
import { readNotification } from './notification.ts';
import { create, listPastPayments, listPayments, verify } from './payments.ts';
import { findRefund, listPastRefunds, listRefunds, refund } from './refunds.ts';
import { listLines, listSettlements } from './settlements.ts';

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

export const adapter: Adapter<ListClient> = {
  ...{ capabilities, clientOf: secretKeyClient, checkCredentials, readNotification, verify },
  ...{ create, listPayments, refund, findRefund, listRefunds },
  ...{ listDisputes, respondToDispute, listSettlements, listLines, listPastPayments },
  listPastRefunds,
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
  refundObstacle: () => null,
  pastObstacle: null,
  disputeAdvice:
    'Sign in to the Paystack dashboard and open Transactions, then Disputes. Accept the claim, or ' +
    'decline it with proof that the customer got what was paid for. Paystack accepts a claim that ' +
    'nobody answers in time.',
  open: (account) => openAccount(adapter, account),
};
