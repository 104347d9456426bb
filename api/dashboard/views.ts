import { accountView } from './account/account.ts';
import { auditLogView } from './audit-log/audit-log.ts';
import { balancesView, entriesView } from './balances/balances.ts';
import { businessView } from './business/business.ts';
import { customersView, customerView } from './customers/customers.ts';
import { deliveryView } from './developers/delivery.ts';
import { developersView } from './developers/developers.ts';
import { endpointView } from './developers/endpoint.ts';
import { requestsView, requestView } from './developers/requests.ts';
import { discrepanciesView, discrepancyView } from './discrepancies/discrepancies.ts';
import { disputesView, disputeView } from './disputes/disputes.ts';
import { accountantsView } from './exports/accountants.ts';
import { membersView, memberView } from './members/members.ts';
import { overviewView } from './overview/overview.ts';
import { linkQrView, paymentLinksView } from './payment-links/payment-links.ts';
import { providersView } from './providers/providers.ts';
import { refundsView, refundView } from './refunds/refunds.ts';
import type { View } from './request.ts';
import { reviewsView } from './reviews/reviews.ts';
import { searchView } from './search/search.ts';
import { settlementsView, settlementView } from './settlements/settlements.ts';
import { statementView } from './statements/statements.ts';
import { evidenceView } from './transactions/evidence.ts';
import { transactionView } from './transactions/transaction.ts';
import { transactionsView } from './transactions/transactions.ts';

/** In the order of the navigation. */
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
  disputeView,
  customersView,
  customerView,
  balancesView,
  entriesView,
  statementView,
  accountantsView,
  developersView,
  endpointView,
  deliveryView,
  requestsView,
  requestView,
  providersView,
  membersView,
  memberView,
  businessView,
  auditLogView,
  accountView,
  searchView,
];
