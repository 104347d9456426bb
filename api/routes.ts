import { changeApiKey } from './api-keys/change-api-key.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listOfApiKeys, readApiKey } from './api-keys/read-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { createToken } from './auth/create-token.ts';
import { refreshToken } from './auth/refresh-token.ts';
import { revokeToken } from './auth/revoke-token.ts';
import { cancelCharge } from './charges/cancel-charge.ts';
import { createCharge } from './charges/create-charge.ts';
import { findCharge, readCharge } from './charges/read-charge.ts';
import { readTimeline } from './charges/read-timeline.ts';
import { changeConnection } from './connections/change-connection.ts';
import { checkConnection } from './connections/check-connection.ts';
import { createConnection } from './connections/create-connection.ts';
import { listOfConnections, readConnection } from './connections/read-connections.ts';
import { listOfDeliveries, readDelivery } from './deliveries/read-deliveries.ts';
import { resendDelivery } from './deliveries/resend-delivery.ts';
import { closeDiscrepancy } from './discrepancies/close-discrepancy.ts';
import { listOfDiscrepancies, readDiscrepancy } from './discrepancies/read-discrepancies.ts';
import { readEvents } from './events/read-events.ts';
import type { AnyRoute } from './http/route.ts';
import { changeMember, disableMember } from './members/change-member.ts';
import { createMember } from './members/create-member.ts';
import { listOfMembers, readMember } from './members/read-members.ts';
import { createSetPasswordLink } from './members/set-password-link.ts';
import { createPaymentLink } from './payment-links/create-payment-link.ts';
import { disablePaymentLink } from './payment-links/disable-payment-link.ts';
import { listOfPaymentLinks, readPaymentLink } from './payment-links/read-payment-links.ts';
import { approveRefund, rejectRefund } from './refunds/decide-refund.ts';
import { listOfRefunds, readRefund } from './refunds/read-refunds.ts';
import { requestRefund } from './refunds/request-refund.ts';
import { acceptReview, returnReview } from './reviews/decide-review.ts';
import { listOfReviews, readReview } from './reviews/read-reviews.ts';
import { listOfSettlementTransactions } from './settlements/list-settlement-transactions.ts';
import { listOfSettlements, readSettlement } from './settlements/read-settlements.ts';
import { listOfTransactions } from './transactions/list-transactions.ts';
import { readTransaction } from './transactions/read-transaction.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateEndpointSecret,
} from './webhook-endpoints/change-endpoint.ts';
import { createWebhookEndpoint } from './webhook-endpoints/create-endpoint.ts';
import { listOfWebhookEndpoints, readWebhookEndpoint } from './webhook-endpoints/read-endpoints.ts';
import { resendToWebhookEndpoint, testWebhookEndpoint } from './webhook-endpoints/send.ts';

/** Every endpoint below /v1, in the order they are matched. */
export const routes: readonly AnyRoute[] = [
  createCharge,
  findCharge,
  readCharge,
  readTimeline,
  cancelCharge,
  listOfTransactions,
  readTransaction,
  listOfSettlements,
  readSettlement,
  listOfSettlementTransactions,
  listOfDiscrepancies,
  readDiscrepancy,
  closeDiscrepancy,
  readEvents,
  requestRefund,
  listOfRefunds,
  readRefund,
  approveRefund,
  rejectRefund,
  listOfReviews,
  readReview,
  acceptReview,
  returnReview,
  createPaymentLink,
  listOfPaymentLinks,
  readPaymentLink,
  disablePaymentLink,
  createApiKey,
  listOfApiKeys,
  readApiKey,
  changeApiKey,
  revokeApiKey,
  createWebhookEndpoint,
  listOfWebhookEndpoints,
  readWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateEndpointSecret,
  testWebhookEndpoint,
  resendToWebhookEndpoint,
  listOfDeliveries,
  readDelivery,
  resendDelivery,
  createConnection,
  listOfConnections,
  readConnection,
  changeConnection,
  checkConnection,
  createToken,
  refreshToken,
  revokeToken,
  createMember,
  listOfMembers,
  readMember,
  changeMember,
  disableMember,
  createSetPasswordLink,
];
