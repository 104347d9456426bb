import {
  accountView,
  confirmAuthenticatorForm,
  endSessionForm,
  prepareAuthenticatorForm,
  removeOwnAuthenticatorForm,
} from './account/account.ts';
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
import {
  changeMemberForm,
  inviteMemberForm,
  membersView,
  newLinkForm,
  removeAuthenticatorForm,
} from './members/members.ts';
import { approveRefundForm, refundsView, rejectRefundForm } from './refunds/refunds.ts';
import type { Form, View } from './request.ts';
import { searchView } from './search/search.ts';
import {
  cancelChargeForm,
  requestRefundForm,
  resendDeliveryForm,
  transactionView,
} from './transactions/transaction.ts';
import { transactionsView } from './transactions/transactions.ts';

/** Every view, in the order of the navigation. */
export const views: readonly View[] = [
  transactionsView,
  transactionView,
  refundsView,
  developersView,
  endpointView,
  deliveryView,
  membersView,
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
  inviteMemberForm,
  newLinkForm,
  removeAuthenticatorForm,
  changeMemberForm,
  prepareAuthenticatorForm,
  confirmAuthenticatorForm,
  removeOwnAuthenticatorForm,
  endSessionForm,
];
