import type { Static } from 'typebox';
import { actorNames } from '../../../domain/accounts/actor-names.ts';
import {
  type AuditEntryRow,
  listAuditEntries,
} from '../../../domain/accounts/audit-log/list-entries.ts';
import { type ListedCustomer, listCustomers } from '../../../domain/payments/customer/list.ts';
import { type ListedDispute, listDisputes } from '../../../domain/payments/dispute/list.ts';
import {
  describeRequests,
  peopleOf,
  type RefundRequest,
} from '../../../domain/payments/refund/requests.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { spacedPhone } from '../../../domain/shared/phone.ts';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import type { discrepancy } from '../../discrepancies/schemas.ts';
import { listPaymentLinks } from '../../payment-links/list-payment-links.ts';
import type { paymentLink } from '../../payment-links/schemas.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import type { refund } from '../../refunds/schemas.ts';
import { listReviews } from '../../reviews/list-reviews.ts';
import type { review } from '../../reviews/schemas.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { listSettlements } from '../../settlements/list-settlements.ts';
import type { settlement } from '../../settlements/schemas.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import type { transaction } from '../../transactions/schemas.ts';
import { netKoboOf } from '../amounts.ts';
import { entryFilters } from '../balances/balances.ts';
import { type entry, listEntries } from '../balances/list-entries.ts';
import { textOf } from '../customers/customers.ts';
import { discrepancyFilters } from '../discrepancies/discrepancies.ts';
import { refundFilters } from '../refunds/refunds.ts';
import type { DashboardRequest } from '../request.ts';
import { settlementFilters } from '../settlements/settlements.ts';
import { transactionFilters, transactionsQueryOf } from '../transactions/transactions.ts';
import { type Column, type Export, listExport, storedExport } from './csv.ts';
import { journalCsv, journalText } from './journal.ts';
import { statementCsv, statementPdf } from './statement.ts';

const transactionColumns: readonly Column<Static<typeof transaction>>[] = [
  ['reference', (row) => row.reference],
  ['merchant_reference', (row) => row.merchant_reference],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['fee_kobo', (row) => row.fee_kobo],
  ['fee_naira', (row, { naira }) => naira(row.fee_kobo)],
  ['net_kobo', netKoboOf],
  ['net_naira', (row, { naira }) => naira(netKoboOf(row))],
  ['refunded_kobo', (row) => row.refunded_kobo],
  ['refunded_naira', (row, { naira }) => naira(row.refunded_kobo)],
  ['currency', (row) => row.currency],
  ['provider', (row) => row.provider],
  ['provider_reference', (row) => row.provider_reference],
  ['channel', (row) => row.channel],
  ['customer_email', (row) => row.customer.email],
  ['customer_name', (row) => row.customer.name],
  ['customer_phone', (row) => row.customer.phone],
  ['customer_phone_text', (row) => row.customer.phone && spacedPhone(row.customer.phone)],
  ['failure_message', (row) => row.failure_message],
  ['occurred_at', (row) => row.occurred_at],
  ['occurred_local', (row, { localTime }) => localTime(row.occurred_at)],
  ['settled_at', (row) => row.settled_at],
  ['settlement_id', (row) => row.settlement_id],
  ['metadata', (row) => JSON.stringify(row.metadata)],
  ['id', (row) => row.id],
];

type SettledTransaction = Static<typeof transaction> & { payout: Static<typeof settlement> };

const settledColumns: readonly Column<SettledTransaction>[] = [
  ...transactionColumns,
  ['payout_reference', ({ payout }) => payout.provider_reference],
  ['payout_status', ({ payout }) => payout.status],
  ['bank_name', ({ payout }) => payout.bank?.name ?? null],
  ['bank_account_last4', ({ payout }) => payout.bank?.account_last4 ?? null],
  ['landed_at', ({ payout }) => payout.landed_at],
];

const settlementColumns: readonly Column<Static<typeof settlement>>[] = [
  ['id', (row) => row.id],
  ['provider', (row) => row.provider],
  ['provider_reference', (row) => row.provider_reference],
  ['status', (row) => row.status],
  ['expected_date', (row) => row.expected_date],
  ['transaction_count', (row) => row.transaction_count],
  ['gross_kobo', (row) => row.gross_kobo],
  ['gross_naira', (row, { naira }) => naira(row.gross_kobo)],
  ['fee_kobo', (row) => row.fee_kobo],
  ['fee_naira', (row, { naira }) => naira(row.fee_kobo)],
  ['refunds_kobo', (row) => row.refunds_kobo],
  ['refunds_naira', (row, { naira }) => naira(row.refunds_kobo)],
  ['chargebacks_kobo', (row) => row.chargebacks_kobo],
  ['chargebacks_naira', (row, { naira }) => naira(row.chargebacks_kobo)],
  ['foreign_kobo', (row) => row.foreign_kobo],
  ['foreign_naira', (row, { naira }) => naira(row.foreign_kobo)],
  ['expected_kobo', (row) => row.expected_amount_kobo],
  ['expected_naira', (row, { naira }) => naira(row.expected_amount_kobo)],
  ['landed_kobo', (row) => row.landed_amount_kobo],
  ['landed_naira', (row, { naira }) => naira(row.landed_amount_kobo)],
  ['shortfall_kobo', (row) => row.shortfall_kobo],
  ['shortfall_naira', (row, { naira }) => naira(row.shortfall_kobo)],
  ['bank_name', (row) => row.bank?.name ?? null],
  ['bank_account_last4', (row) => row.bank?.account_last4 ?? null],
  ['landed_at', (row) => row.landed_at],
  ['landed_local', (row, { localTime }) => localTime(row.landed_at)],
];

type DescribedRefund = Static<typeof refund> & {
  about: RefundRequest;
  nameOf: (id: string) => string;
};

const refundColumns: readonly Column<DescribedRefund>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => row.reference],
  ['merchant_reference', ({ about }) => about.merchant_reference],
  ['provider', ({ about }) => about.slot],
  ['payment_reference', ({ about }) => about.provider_reference],
  ['provider_refund_id', ({ about }) => about.provider_refund_id],
  ['customer_email', ({ about }) => about.email],
  ['customer_name', ({ about }) => about.name],
  ['customer_phone', ({ about }) => about.phone],
  ['customer_phone_text', ({ about }) => about.phone && spacedPhone(about.phone)],
  ['requested_by', ({ about, nameOf }) => nameOf(about.requested_by)],
  ['first_approved_by', ({ about, nameOf }) => named(about.first_approved_by, nameOf)],
  ['decided_by', ({ about, nameOf }) => named(about.decided_by, nameOf)],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['currency', (row) => row.currency],
  ['reason', (row) => row.reason],
  ['origin', (row) => row.origin],
  ['rejection_reason', (row) => row.rejection_reason],
  ['failure_message', (row) => row.failure_message],
  ['attention', (row) => row.attention?.reason ?? null],
  ['created_at', (row) => row.created_at],
  ['created_local', (row, { localTime }) => localTime(row.created_at)],
  ['first_approved_at', (row) => row.first_approved_at],
  ['decided_at', (row) => row.decided_at],
  ['completed_at', (row) => row.completed_at],
  ['completed_local', (row, { localTime }) => localTime(row.completed_at)],
];

const discrepancyColumns: readonly Column<Static<typeof discrepancy>>[] = [
  ['id', (row) => row.id],
  ['kind', (row) => row.kind],
  ['status', (row) => row.status],
  ['date', (row) => row.date],
  ['provider', (row) => row.provider],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['difference_kobo', (row) => row.difference_kobo],
  ['difference_naira', (row, { naira }) => naira(row.difference_kobo)],
  ['settlement_id', (row) => row.settlement_id],
  ['transaction_id', (row) => row.transaction_id],
  ['reference', (row) => row.reference],
  ['detail', (row) => row.detail],
  ['close_reason', (row) => row.close_reason],
  ['opened_at', (row) => row.opened_at],
  ['opened_local', (row, { localTime }) => localTime(row.opened_at)],
  ['ended_at', (row) => row.ended_at],
];

const entryColumns: readonly Column<Static<typeof entry>>[] = [
  ['id', (row) => row.id],
  ['type', (row) => row.type],
  ['what', (row) => row.words],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['currency', (row) => row.currency],
  ['provider', (row) => row.provider],
  ['source', (row) => row.source],
  ['reference', (row) => row.reference],
  ['created_at', (row) => row.created_at],
  ['created_local', (row, { localTime }) => localTime(row.created_at)],
  ['occurred_at', (row) => row.occurred_at],
];

const linkColumns: readonly Column<Static<typeof paymentLink>>[] = [
  ['id', (row) => row.id],
  ['url', (row) => row.url],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['currency', (row) => row.currency],
  ['description', (row) => row.description],
  ['customer_name', (row) => row.customer?.name ?? null],
  ['customer_phone', (row) => row.customer?.phone ?? null],
  ['transaction_id', (row) => row.transaction_id],
  ['created_at', (row) => row.created_at],
  ['created_local', (row, { localTime }) => localTime(row.created_at)],
  ['expires_at', (row) => row.expires_at],
];

const reviewColumns: readonly Column<Static<typeof review>>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => row.reference],
  ['transaction_id', (row) => row.transaction_id],
  ['reason', (row) => row.reason],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['provider', (row) => row.payment?.provider ?? null],
  ['payment_reference', (row) => row.payment?.provider_reference ?? null],
  ['detail', (row) => row.detail],
  ['created_at', (row) => row.created_at],
  ['decided_by', (row) => row.decided_by],
  ['decided_at', (row) => row.decided_at],
];

const disputeColumns: readonly Column<ListedDispute>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => referenceOf(row.number)],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['amount_naira', (row, { naira }) => naira(row.amount_kobo)],
  ['provider', (row) => row.slot],
  ['provider_dispute_id', (row) => row.provider_dispute_id],
  ['reason', (row) => row.reason],
  ['respond_by', (row) => row.respond_by?.toISOString() ?? null],
  ['customer_email', (row) => row.email],
  ['opened_at', (row) => row.opened_at.toISOString()],
  ['decided_at', (row) => row.decided_at?.toISOString() ?? null],
];

const customerColumns: readonly Column<ListedCustomer>[] = [
  ['id', (row) => row.id],
  ['customer_email', (row) => row.email],
  ['customer_name', (row) => row.name],
  ['customer_phone', (row) => row.phone],
  ['customer_phone_text', (row) => row.phone && spacedPhone(row.phone)],
  ['created_at', (row) => row.created_at.toISOString()],
  ['created_local', (row, { localTime }) => localTime(row.created_at.toISOString())],
];

type NamedEntry = AuditEntryRow & { who: string };

const auditColumns: readonly Column<NamedEntry>[] = [
  ['id', (row) => row.id],
  ['at', (row) => row.at.toISOString()],
  ['local', (row, { localTime }) => localTime(row.at.toISOString())],
  ['who', (row) => row.who],
  ['action', (row) => row.action],
  ['subject_id', (row) => row.subject_id],
  ['detail', (row) => row.detail],
];

async function withRequests(
  { context: { db }, session }: DashboardRequest,
  refunds: readonly Static<typeof refund>[],
): Promise<DescribedRefund[]> {
  const requests = await describeRequests(db, session, refunds);
  const nameOf = await actorNames(db, session.tenantId, peopleOf(requests));
  return refunds.map((one) => ({ ...one, about: requests.get(one.id)!, nameOf }));
}

const named = (id: string | null, nameOf: (id: string) => string) => id && nameOf(id);

async function withPayout(
  { call, params }: DashboardRequest,
  transactions: readonly Static<typeof transaction>[],
): Promise<SettledTransaction[]> {
  const payout = await call(getSettlement, { params, uncounted: true });
  return transactions.map((one) => ({ ...one, payout }));
}

export const exports: readonly Export[] = [
  listExport({
    path: '/transactions.csv',
    name: 'transactions',
    route: listTransactions,
    filters: transactionFilters,
    queryOf: transactionsQueryOf,
    columns: transactionColumns,
  }),
  listExport({
    path: '/settlements/:id/transactions.csv',
    name: 'settlement',
    route: listSettlementTransactions,
    filters: [],
    columns: settledColumns,
    describe: withPayout,
  }),
  listExport({
    path: '/settlements.csv',
    name: 'settlements',
    route: listSettlements,
    filters: settlementFilters,
    columns: settlementColumns,
  }),
  listExport({
    path: '/payment-links.csv',
    name: 'payment-links',
    route: listPaymentLinks,
    filters: ['status'],
    columns: linkColumns,
  }),
  listExport({
    path: '/reviews.csv',
    name: 'reviews',
    route: listReviews,
    filters: ['status'],
    columns: reviewColumns,
  }),
  storedExport({
    path: '/disputes.csv',
    name: 'disputes',
    columns: disputeColumns,
    read: ({ context, session }, page) => context.read((db) => listDisputes(db, session, page)),
  }),
  storedExport({
    path: '/customers.csv',
    name: 'customers',
    columns: customerColumns,
    read: ({ context, session, query }, page) =>
      context.read((db) => listCustomers(db, session, { ...page, text: textOf(query) })),
  }),
  storedExport({
    path: '/audit-log.csv',
    name: 'audit-log',
    columns: auditColumns,
    async read({ context, session }, page) {
      const entries = await context.read((db) => listAuditEntries(db, session, page));
      const actors = entries.map(({ actor }) => actor);
      const nameOf = await actorNames(context.db, session.tenantId, actors);
      return entries.map((entry) => ({ ...entry, who: nameOf(entry.actor) }));
    },
  }),
  listExport({
    path: '/refunds.csv',
    name: 'refunds',
    route: listRefunds,
    filters: refundFilters,
    columns: refundColumns,
    describe: withRequests,
  }),
  listExport({
    path: '/discrepancies.csv',
    name: 'discrepancies',
    route: listDiscrepancies,
    filters: discrepancyFilters,
    columns: discrepancyColumns,
  }),
  listExport({
    path: '/balances/transactions.csv',
    name: 'balance-transactions',
    route: listEntries,
    filters: entryFilters,
    columns: entryColumns,
  }),
  journalCsv,
  journalText,
  statementCsv,
  statementPdf,
];
