import { nextBusinessDay } from '../../shared/lagos.ts';
import { DAY_MS } from '../../shared/units.ts';
import { type ListClient, secretKeyClient } from '../adapter/client.ts';
import { type Adapter, openAccount } from '../adapter/open.ts';
import { unpublishedBudgets } from '../port/budget.ts';
import { type ProviderDefinition, sameBaseUrl } from '../port/definition.ts';
import type { Capabilities } from '../port/provider.ts';
import { checkCredentials, credentialFields } from './credentials.ts';
import { respondToDispute } from './dispute-responses.ts';
import { listDisputes } from './disputes.ts';
import { readNotification } from './notification.ts';
import { create, listPayments, verify } from './payments.ts';
import { findRefund, listAccountRefunds, refund } from './refunds.ts';
import { listLines, listSettlements } from './settlements.ts';

const capabilities: Capabilities = {
  // A `tx_ref` that is sent again may get a second link.
  rejectsDuplicateReferences: false,
  // Every try of the payer is a payment of its own under one `tx_ref`, which lists show.
  paysAgain: 'listed',
  // A refund takes no key of ours.
  idempotentRefunds: false,
  // `GET /refunds` takes no payment. (https://developer.flutterwave.com/v3.0/docs/refunds)
  refundLists: 'of_account',
  disputes: 'api',
  settlements: 'list',
  // A transfer carries the time at which it was begun.
  paymentLists: { paidLaterMs: DAY_MS },
};

export const adapter: Adapter<ListClient> = {
  ...{ capabilities, clientOf: secretKeyClient, checkCredentials, readNotification, verify },
  ...{ create, listPayments, refund, findRefund, listAccountRefunds },
  ...{ listDisputes, respondToDispute, listSettlements, listLines },
};

export const flutterwave: ProviderDefinition = {
  name: 'flutterwave',
  baseUrls: sameBaseUrl('FLUTTERWAVE_BASE_URL', 'https://api.flutterwave.com/v3'),
  budgets: unpublishedBudgets,
  credentialFields,
  capabilities,
  // Whatever the channel. (https://developer.flutterwave.com/docs/settlements)
  settlementTerms: { settlementDay: nextBusinessDay, deductsRefunds: true },
  refundObstacle: () => null,
  pastObstacle:
    'Flutterwave lists payments without all that a record of them needs, and each would have to be ' +
    'asked about by itself. Refund and reconcile what was paid before in Flutterwave’s dashboard.',
  disputeAdvice:
    'Sign in to the Flutterwave dashboard and open Transactions, then Chargebacks. Accept the ' +
    'claim, or decline it with proof that the customer got what was paid for. One that nobody ' +
    'answers in time is lost.',
  open: (account) => openAccount(adapter, account),
};
