import type { Static } from 'typebox';
import { listDiscrepancies } from '../../discrepancies/list-discrepancies.ts';
import type { discrepancy } from '../../discrepancies/schemas.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import type { refund } from '../../refunds/schemas.ts';
import { listSettlementTransactions } from '../../settlements/list-settlement-transactions.ts';
import { listTransactions } from '../../transactions/list-transactions.ts';
import type { transaction } from '../../transactions/schemas.ts';
import { netKoboOf } from '../amounts.ts';
import { entryFilters } from '../balances/balances.ts';
import { type entry, listEntries } from '../balances/list-entries.ts';
import { discrepancyFilters } from '../discrepancies/discrepancies.ts';
import { refundFilters } from '../refunds/refunds.ts';
import { transactionFilters } from '../transactions/transactions.ts';
import { type Column, type Export, listExport } from './csv.ts';
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
  ['failure_message', (row) => row.failure_message],
  ['occurred_at', (row) => row.occurred_at],
  ['occurred_local', (row, { localTime }) => localTime(row.occurred_at)],
  ['settled_at', (row) => row.settled_at],
  ['settlement_id', (row) => row.settlement_id],
  ['metadata', (row) => JSON.stringify(row.metadata)],
  ['id', (row) => row.id],
];

const refundColumns: readonly Column<Static<typeof refund>>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => row.reference],
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

export const exports: readonly Export[] = [
  listExport({
    path: '/transactions.csv',
    name: 'transactions',
    route: listTransactions,
    filters: transactionFilters,
    columns: transactionColumns,
  }),
  listExport({
    path: '/settlements/:id/transactions.csv',
    name: 'settlement',
    route: listSettlementTransactions,
    filters: [],
    columns: transactionColumns,
  }),
  listExport({
    path: '/refunds.csv',
    name: 'refunds',
    route: listRefunds,
    filters: refundFilters,
    columns: refundColumns,
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
