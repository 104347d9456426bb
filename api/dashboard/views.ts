import {
  accountView,
  confirmAuthenticatorForm,
  endSessionForm,
  prepareAuthenticatorForm,
  removeOwnAuthenticatorForm,
} from './account/account.ts';
import { auditLogView } from './audit-log/audit-log.ts';
import {
  businessView,
  changeBusinessForm,
  removeLogoForm,
  setLogoForm,
} from './business/business.ts';
import { deliveryView, resendThisForm } from './developers/delivery.ts';
import {
  addEndpointForm,
  changeKeyForm,
  createKeyForm,
  developersView,
  revokeKeyForm,
} from './developers/developers.ts';
import {
  changeEndpointForm,
  deleteEndpointForm,
  endpointView,
  resendMissedForm,
  resendOneForm,
  rotateSecretForm,
  testEndpointForm,
} from './developers/endpoint.ts';
import { requestsView } from './developers/requests.ts';
import {
  closeDiscrepancyForm,
  discrepanciesView,
  discrepancyView,
} from './discrepancies/discrepancies.ts';
import { disputesView } from './disputes/disputes.ts';
import {
  changeMemberForm,
  inviteMemberForm,
  membersView,
  newLinkForm,
  removeAuthenticatorForm,
} from './members/members.ts';
import { overviewView } from './overview/overview.ts';
import {
  createLinkForm,
  disableLinkForm,
  paymentLinksView,
} from './payment-links/payment-links.ts';
import { linkQrView } from './payment-links/qr-view.ts';
import {
  changeProviderForm,
  checkProviderForm,
  connectProviderForm,
  providersView,
} from './providers/providers.ts';
import { approveRefundForm, refundsView, refundView, rejectRefundForm } from './refunds/refunds.ts';
import type { Form, View } from './request.ts';
import { acceptReviewForm, returnReviewForm, reviewsView } from './reviews/reviews.ts';
import { searchView } from './search/search.ts';
import { settlementsView, settlementView } from './settlements/settlements.ts';
import { evidenceView } from './transactions/evidence.ts';
import {
  cancelChargeForm,
  requestRefundForm,
  resendDeliveryForm,
  transactionView,
} from './transactions/transaction.ts';
import { transactionsView } from './transactions/transactions.ts';

/** Every view, in the order of the navigation. */
export const views: readonly View[] = [
  overviewView,
  transactionsView,
  transactionView,
  evidenceView,
  refundsView,
  refundView,
  paymentLinksView,
  linkQrView,
  settlementsView,
  settlementView,
  discrepanciesView,
  discrepancyView,
  reviewsView,
  disputesView,
  developersView,
  endpointView,
  deliveryView,
  requestsView,
  providersView,
  membersView,
  businessView,
  auditLogView,
  accountView,
  searchView,
];

/** Every form, in the order of its view. */
export const forms: readonly Form[] = [
  requestRefundForm,
  cancelChargeForm,
  resendDeliveryForm,
  approveRefundForm,
  rejectRefundForm,
  createLinkForm,
  disableLinkForm,
  closeDiscrepancyForm,
  acceptReviewForm,
  returnReviewForm,
  createKeyForm,
  changeKeyForm,
  revokeKeyForm,
  addEndpointForm,
  changeEndpointForm,
  deleteEndpointForm,
  testEndpointForm,
  rotateSecretForm,
  resendMissedForm,
  resendOneForm,
  resendThisForm,
  connectProviderForm,
  changeProviderForm,
  checkProviderForm,
  changeBusinessForm,
  setLogoForm,
  removeLogoForm,
  inviteMemberForm,
  newLinkForm,
  removeAuthenticatorForm,
  changeMemberForm,
  prepareAuthenticatorForm,
  confirmAuthenticatorForm,
  removeOwnAuthenticatorForm,
  endSessionForm,
];
