import {
  accountView,
  confirmAuthenticatorForm,
  endSessionForm,
  prepareAuthenticatorForm,
  removeOwnAuthenticatorForm,
} from './account/account.ts';
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
  inviteMemberForm,
  newLinkForm,
  removeAuthenticatorForm,
  changeMemberForm,
  prepareAuthenticatorForm,
  confirmAuthenticatorForm,
  removeOwnAuthenticatorForm,
  endSessionForm,
];
