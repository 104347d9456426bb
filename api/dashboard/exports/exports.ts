import type { Static } from 'typebox';
import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { listAuditEntries } from '../../../domain/accounts/audit-log/list-entries.ts';
import { listRequests } from '../../../domain/accounts/request-log/store.ts';
import { type ListedDispute, listDisputes } from '../../../domain/payments/dispute/list.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { listConnections } from '../../connections/list-connections.ts';
import { listDeliveries } from '../../deliveries/list-deliveries.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import type { discrepancy } from '../../discrepancies/schemas.ts';
import { listMembers } from '../../members/list-members.ts';
import { listPaymentLinks } from '../../payment-links/list-payment-links.ts';
import type { paymentLink } from '../../payment-links/schemas.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { listReviews } from '../../reviews/list-reviews.ts';
import type { review } from '../../reviews/schemas.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { listSettlements } from '../../settlements/list-settlements.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import { getWebhookEndpoint } from '../../webhook-endpoints/get-webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../webhook-endpoints/list-webhook-endpoints.ts';
import { entryFilters } from '../balances/balances.ts';
import { listEntries } from '../balances/list-entries.ts';
import { onlyRefused } from '../developers/requests.ts';
import { discrepancyFilters } from '../discrepancies/discrepancies.ts';
import { statusIn } from '../disputes/disputes.ts';
import { refundFilters } from '../refunds/refunds.ts';
import { settlementFilters } from '../settlements/settlements.ts';
import { transactionFilters, transactionsQueryOf } from '../transactions/transactions.ts';
import * as columns from './columns.ts';
import { type Export, listExport, pageByPage, storedExport } from './csv.ts';
import { customerPages } from './customer-pages.ts';
import { describedBy, withPayout, withRequests } from './describe.ts';
import { journalCsv, journalText } from './journal.ts';
import { statementCsv, statementPdf } from './statement.ts';

const ofDispute = describedBy((row: ListedDispute) => ({ transactionId: row.charge_id }));

export const exports: readonly Export[] = [
  listExport({
    path: '/transactions.csv',
    name: 'transactions',
    route: listTransactions,
    filters: transactionFilters,
    queryOf: transactionsQueryOf,
    columns: columns.transactions,
  }),
  listExport({
    path: '/settlements/:id/transactions.csv',
    name: 'settlement',
    route: listSettlementTransactions,
    filters: [],
    columns: columns.settledTransactions,
    describe: withPayout,
  }),
  listExport({
    path: '/settlements.csv',
    name: 'settlements',
    route: listSettlements,
    filters: settlementFilters,
    columns: columns.settlements,
  }),
  listExport({
    path: '/payment-links.csv',
    name: 'payment-links',
    route: listPaymentLinks,
    filters: ['status'],
    columns: columns.paymentLinks,
    describe: describedBy((row: Static<typeof paymentLink>) => ({
      transactionId: row.transaction_id,
    })),
  }),
  listExport({
    path: '/reviews.csv',
    name: 'reviews',
    route: listReviews,
    filters: ['status'],
    columns: columns.reviews,
    describe: describedBy((row: Static<typeof review>) => ({
      transactionId: row.transaction_id,
      decidedBy: row.decided_by,
    })),
  }),
  storedExport({
    path: '/disputes.csv',
    name: 'disputes',
    columns: columns.disputes,
    pages: pageByPage(async (request, page) => {
      const { context, session, query } = request;
      const wanted = { ...page, status: statusIn(query) };
      return ofDispute(request, await context.read((db) => listDisputes(db, session, wanted)));
    }),
  }),
  storedExport({
    path: '/customers.csv',
    name: 'customers',
    columns: columns.customers,
    pages: customerPages,
  }),
  storedExport({
    path: '/audit-log.csv',
    name: 'audit-log',
    columns: columns.auditEntries,
    pages: pageByPage(async ({ context, session }, page) => {
      const entries = await context.read((db) => listAuditEntries(db, session, page));
      const ids = entries.flatMap(({ actor, subject_id }) => [actor, subject_id]);
      const nameOf = await actorNames(context.db, session.tenantId, ids);
      return entries.map((entry) => ({
        ...entry,
        ...{ who: nameOf(entry.actor), subject: nameOf(entry.subject_id) },
      }));
    }),
  }),
  listExport({
    path: '/refunds.csv',
    name: 'refunds',
    route: listRefunds,
    filters: refundFilters,
    columns: columns.refunds,
    describe: withRequests,
  }),
  listExport({
    path: '/discrepancies.csv',
    name: 'discrepancies',
    route: listDiscrepancies,
    filters: discrepancyFilters,
    columns: columns.discrepancies,
    describe: describedBy((row: Static<typeof discrepancy>) => ({
      transactionId: row.transaction_id,
      decidedBy: row.closed_by,
    })),
  }),
  listExport({
    path: '/balances/transactions.csv',
    name: 'balance-transactions',
    route: listEntries,
    filters: entryFilters,
    columns: columns.entries,
  }),
  listExport({
    path: '/members.csv',
    name: 'members',
    route: listMembers,
    filters: [],
    columns: columns.members,
  }),
  listExport({
    path: '/developers/keys.csv',
    name: 'api-keys',
    route: listApiKeys,
    filters: [],
    columns: columns.apiKeys,
  }),
  listExport({
    path: '/developers/endpoints.csv',
    name: 'webhook-endpoints',
    route: listWebhookEndpoints,
    filters: [],
    columns: columns.endpoints,
  }),
  listExport({
    path: '/providers.csv',
    name: 'connections',
    route: listConnections,
    filters: [],
    columns: columns.connections,
  }),
  listExport({
    path: '/developers/endpoints/:id/deliveries.csv',
    name: 'deliveries',
    route: listDeliveries,
    filters: ['status'],
    async queryOf(filter, { call, params }) {
      const { id: endpoint } = await call(getWebhookEndpoint, { params });
      return { ...filter, endpoint };
    },
    columns: columns.deliveries,
  }),
  storedExport({
    path: '/developers/requests.csv',
    permission: 'develop',
    name: 'requests',
    columns: columns.requests,
    pages: pageByPage(({ context, session, query }, page) =>
      context.read((db) => listRequests(db, session, { ...page, isRefused: onlyRefused(query) })),
    ),
  }),
  journalCsv,
  journalText,
  statementCsv,
  statementPdf,
];
