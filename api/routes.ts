import { createApiKey } from './api-keys/create-api-key.ts';
import { getApiKey } from './api-keys/get-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { rotateApiKey } from './api-keys/rotate-api-key.ts';
import { updateApiKey } from './api-keys/update-api-key.ts';
import { createToken } from './auth/create-token.ts';
import { refreshToken } from './auth/refresh-token.ts';
import { revokeToken } from './auth/revoke-token.ts';
import { listBalanceTransactions } from './balance-transactions/list-balance-transactions.ts';
import { listBalances } from './balances/list-balances.ts';
import { getBusiness } from './business/get-business.ts';
import { removeLogo } from './business/remove-logo.ts';
import { setLogo } from './business/set-logo.ts';
import { updateBusiness } from './business/update-business.ts';
import { cancelCharge } from './charges/cancel-charge.ts';
import { createCharge } from './charges/create-charge.ts';
import { findCharge } from './charges/find-charge.ts';
import { getCharge } from './charges/get-charge.ts';
import { listChargeTimeline } from './charges/list-charge-timeline.ts';
import { mailCharge } from './charges/mail-charge.ts';
import { checkConnection } from './connections/check-connection.ts';
import { createConnection } from './connections/create-connection.ts';
import { getConnection } from './connections/get-connection.ts';
import { listConnections } from './connections/list-connections.ts';
import { updateConnection } from './connections/update-connection.ts';
import { getDelivery } from './deliveries/get-delivery.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { resendDelivery } from './deliveries/resend-delivery.ts';
import { closeDiscrepancy } from './discrepancies/close-discrepancy.ts';
import { getDiscrepancy } from './discrepancies/get-discrepancy.ts';
import { listDiscrepancies } from './discrepancies/list-discrepancies.ts';
import { acceptDispute } from './disputes/accept-dispute.ts';
import { getDispute } from './disputes/get-dispute.ts';
import { listDisputeResponses } from './disputes/list-dispute-responses.ts';
import { listDisputes } from './disputes/list-disputes.ts';
import { sendDisputeEvidence } from './disputes/send-dispute-evidence.ts';
import { listEvents } from './events/list-events.ts';
import type { Route } from './http/route.ts';
import { createMember } from './members/create-member.ts';
import { createSetPasswordLink } from './members/create-set-password-link.ts';
import { disableMember } from './members/disable-member.ts';
import { getMember } from './members/get-member.ts';
import { listMembers } from './members/list-members.ts';
import { updateMember } from './members/update-member.ts';
import { createPaymentLink } from './payment-links/create-payment-link.ts';
import { disablePaymentLink } from './payment-links/disable-payment-link.ts';
import { getPaymentLink } from './payment-links/get-payment-link.ts';
import { listPaymentLinks } from './payment-links/list-payment-links.ts';
import { mailPaymentLink } from './payment-links/mail-payment-link.ts';
import { approveRefund } from './refunds/approve-refund.ts';
import { getRefund } from './refunds/get-refund.ts';
import { listRefunds } from './refunds/list-refunds.ts';
import { rejectRefund } from './refunds/reject-refund.ts';
import { requestRefund } from './refunds/request-refund.ts';
import { acceptReview } from './reviews/accept-review.ts';
import { getReview } from './reviews/get-review.ts';
import { listReviews } from './reviews/list-reviews.ts';
import { returnReview } from './reviews/return-review.ts';
import { getSettlement } from './settlements/get-settlement.ts';
import { listSettlementTransactions } from './settlements/list-settlement-transactions.ts';
import { listSettlements } from './settlements/list-settlements.ts';
import { getStatement } from './statements/get-statement.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { listTransactions } from './transactions/list-transactions.ts';
import { createWebhookEndpoint } from './webhook-endpoints/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhook-endpoints/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from './webhook-endpoints/get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './webhook-endpoints/list-webhook-endpoints.ts';
import { resendToWebhookEndpoint } from './webhook-endpoints/resend-to-webhook-endpoint.ts';
import { rotateWebhookEndpointSecret } from './webhook-endpoints/rotate-webhook-endpoint-secret.ts';
import { testWebhookEndpoint } from './webhook-endpoints/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './webhook-endpoints/update-webhook-endpoint.ts';

/** Endpoints in the order they are matched. */
export const routes: readonly Route[] = [
  createCharge,
  findCharge,
  getCharge,
  listChargeTimeline,
  cancelCharge,
  mailCharge,
  listTransactions,
  getTransaction,
  listSettlements,
  getSettlement,
  listSettlementTransactions,
  getStatement,
  listDiscrepancies,
  getDiscrepancy,
  closeDiscrepancy,
  listBalances,
  listBalanceTransactions,
  listEvents,
  requestRefund,
  listRefunds,
  getRefund,
  approveRefund,
  rejectRefund,
  listReviews,
  getReview,
  acceptReview,
  returnReview,
  listDisputes,
  getDispute,
  sendDisputeEvidence,
  acceptDispute,
  listDisputeResponses,
  createPaymentLink,
  listPaymentLinks,
  getPaymentLink,
  disablePaymentLink,
  mailPaymentLink,
  createApiKey,
  listApiKeys,
  getApiKey,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  resendToWebhookEndpoint,
  listDeliveries,
  getDelivery,
  resendDelivery,
  createConnection,
  listConnections,
  getConnection,
  updateConnection,
  checkConnection,
  createToken,
  refreshToken,
  revokeToken,
  getBusiness,
  updateBusiness,
  setLogo,
  removeLogo,
  createMember,
  listMembers,
  getMember,
  updateMember,
  disableMember,
  createSetPasswordLink,
];
