import { inLagos, lagosDay, nextBusinessDay } from '../../shared/lagos.ts';
import { DAY_MS } from '../../shared/units.ts';
import { type Adapter, openAccount } from '../adapter/open.ts';
import { unpublishedBudgets } from '../port/budget.ts';
import type { ProviderDefinition } from '../port/definition.ts';
import type { Capabilities } from '../port/provider.ts';
import { type MonnifyClient, openClient } from './client.ts';
import { checkCredentials, credentialFields } from './credentials.ts';
import { readNotification } from './notification.ts';
import { create, listPayments, verify } from './payments.ts';
import { findRefund, listRefunds, refund } from './refunds.ts';
import { findSettlement, listLines, readSettlement } from './settlements.ts';

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

export const adapter: Adapter<MonnifyClient> = {
  ...{ capabilities, clientOf: openClient, checkCredentials, readNotification, verify },
  ...{ create, listPayments, refund, findRefund, listRefunds },
  ...{ findSettlement, listLines, readSettlement },
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
  refundObstacle: (channel) => (channel === 'bank_transfer' ? null : TRANSFERS_ONLY),
  pastObstacle:
    'Monnify has no list of payouts, and lists payments without what they cost. Refund and reconcile ' +
    'what was paid before in Monnify’s dashboard.',
  disputeAdvice:
    'Monnify writes about it by e-mail. Answer there, or in its dashboard: accept the claim, or ' +
    'reject it with proof that the customer got what was paid for.',
  open: (account) => openAccount(adapter, account),
};

/** (https://developers.monnify.com/docs/error-codes, R2) */
const TRANSFERS_ONLY =
  'Monnify sends back bank transfers only, and this payment came another way. Refund it in ' +
  'Monnify’s dashboard, or with its support: what went back there is recorded here, too.';

const SETTLEMENT_HOUR = 22;

/**
 * Bank transfers at ten in the evening, all else on the next business day.
 * (https://developers.monnify.com/docs/collections/settlements)
 */
export function settlementDay(capturedAt: Date, channel: string): string {
  if (channel !== 'bank_transfer') return nextBusinessDay(capturedAt);
  const at = inLagos(capturedAt);
  return lagosDay((at.hour < SETTLEMENT_HOUR ? at : at.plus({ days: 1 })).toJSDate());
}
