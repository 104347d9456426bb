import { changeApiKey } from './api-keys/change-api-key.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listOfApiKeys, readApiKey } from './api-keys/read-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { createCharge } from './charges/create-charge.ts';
import { findCharge, readCharge } from './charges/read-charge.ts';
import { readTimeline } from './charges/read-timeline.ts';
import { createPaymentLink } from './payment-links/create-payment-link.ts';
import { disablePaymentLink } from './payment-links/disable-payment-link.ts';
import { listOfPaymentLinks, readPaymentLink } from './payment-links/read-payment-links.ts';
import { approveRefund, rejectRefund } from './refunds/decide-refund.ts';
import { listOfRefunds, readRefund } from './refunds/read-refunds.ts';
import { requestRefund } from './refunds/request-refund.ts';
import type { AnyRoute } from './route.ts';
import { readTransaction } from './transactions/read-transaction.ts';

/** Every endpoint below /v1, in the order they are matched. */
export const routes: readonly AnyRoute[] = [
  createCharge,
  findCharge,
  readCharge,
  readTimeline,
  readTransaction,
  requestRefund,
  listOfRefunds,
  readRefund,
  approveRefund,
  rejectRefund,
  createPaymentLink,
  listOfPaymentLinks,
  readPaymentLink,
  disablePaymentLink,
  createApiKey,
  listOfApiKeys,
  readApiKey,
  changeApiKey,
  revokeApiKey,
];
