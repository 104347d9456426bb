import type { Static } from 'typebox';
import type { AuditEntryRow } from '../../../domain/accounts/audit-log/list-entries.ts';
import type { ListedRequest } from '../../../domain/accounts/request-log/store.ts';
import type { ChargeRow } from '../../../domain/payments/charge/row.ts';
import type { ListedCustomer } from '../../../domain/payments/customer/list.ts';
import type { ListedDispute } from '../../../domain/payments/dispute/list.ts';
import type { RefundRequest } from '../../../domain/payments/refund/requests.ts';
import type { SettledLine } from '../../../domain/settlements/settlement/lines-of-charges.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import type { apiKey } from '../../api-keys/schemas.ts';
import type { connection } from '../../connections/schemas.ts';
import type { delivery } from '../../deliveries/schemas.ts';
import type { discrepancy } from '../../discrepancies/schemas.ts';
import type { member } from '../../members/schemas.ts';
import type { paymentLink } from '../../payment-links/schemas.ts';
import type { refund } from '../../refunds/schemas.ts';
import type { review } from '../../reviews/schemas.ts';
import type { settlement } from '../../settlements/schemas.ts';
import type { transaction } from '../../transactions/schemas.ts';
import type { endpoint } from '../../webhook-endpoints/schemas.ts';
import { netKoboOf } from '../amounts.ts';
import type { entry } from '../balances/list-entries.ts';
import type { Column } from './csv.ts';

export const transactions: readonly Column<Static<typeof transaction>>[] = [
  ['reference', (row) => row.reference],
  ['merchant_reference', (row) => row.merchant_reference],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['fee_kobo', (row) => row.fee_kobo],
  ['net_kobo', netKoboOf],
  ['refunded_kobo', (row) => row.refunded_kobo],
  ['currency', (row) => row.currency],
  ['provider', (row) => row.provider],
  ['provider_reference', (row) => row.provider_reference],
  ['channel', (row) => row.channel],
  ['customer_email', (row) => row.customer.email],
  ['customer_name', (row) => row.customer.name],
  ['customer_phone', (row) => row.customer.phone],
  ['failure_message', (row) => row.failure_message],
  ['occurred_at', (row) => row.occurred_at],
  ['settled_at', (row) => row.settled_at],
  ['settlement_id', (row) => row.settlement_id],
  ['metadata', (row) => JSON.stringify(row.metadata)],
  ['id', (row) => row.id],
];

export type SettledTransaction = Static<typeof transaction> & {
  payout: Static<typeof settlement>;
  /** Absent until the provider states one. */
  line: SettledLine | undefined;
};

export const settledTransactions: readonly Column<SettledTransaction>[] = [
  ...transactions,
  ['payout_gross_kobo', ({ line }) => line?.gross_kobo],
  ['payout_fee_kobo', ({ line }) => line?.fee_kobo],
  ['payout_net_kobo', ({ line }) => line && line.gross_kobo - line.fee_kobo],
  ['payout_reference', ({ payout }) => payout.provider_reference],
  ['payout_status', ({ payout }) => payout.status],
  ['bank_name', ({ payout }) => payout.bank?.name],
  ['bank_account_last4', ({ payout }) => payout.bank?.account_last4],
  ['landed_at', ({ payout }) => payout.landed_at],
];

export const settlements: readonly Column<Static<typeof settlement>>[] = [
  ['id', (row) => row.id],
  ['provider', (row) => row.provider],
  ['provider_reference', (row) => row.provider_reference],
  ['status', (row) => row.status],
  ['expected_date', (row) => row.expected_date],
  ['transaction_count', (row) => row.transaction_count],
  ['gross_kobo', (row) => row.gross_kobo],
  ['fee_kobo', (row) => row.fee_kobo],
  ['refunds_kobo', (row) => row.refunds_kobo],
  ['chargebacks_kobo', (row) => row.chargebacks_kobo],
  ['foreign_kobo', (row) => row.foreign_kobo],
  ['expected_kobo', (row) => row.expected_amount_kobo],
  ['landed_kobo', (row) => row.landed_amount_kobo],
  ['shortfall_kobo', (row) => row.shortfall_kobo],
  ['bank_name', (row) => row.bank?.name],
  ['bank_account_last4', (row) => row.bank?.account_last4],
  ['landed_at', (row) => row.landed_at],
];

/** What people know a transaction by, and by whom something of it was decided. */
export interface Described {
  charge?: Pick<
    ChargeRow,
    'merchant_reference' | 'provider_reference' | 'email' | 'name' | 'phone'
  >;
  decider: string | null;
}

const charge: readonly Column<Pick<Described, 'charge'>>[] = [
  ['merchant_reference', (row) => row.charge?.merchant_reference],
  ['payment_reference', (row) => row.charge?.provider_reference],
  ['customer_email', (row) => row.charge?.email],
  ['customer_name', (row) => row.charge?.name],
  ['customer_phone', (row) => row.charge?.phone],
];

export type DescribedRefund = Static<typeof refund> &
  Pick<Described, 'charge'> & { about: RefundRequest; nameOf: (id: string) => string };

const named = (id: string | null, { nameOf }: DescribedRefund) => id && nameOf(id);

export const refunds: readonly Column<DescribedRefund>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => row.reference],
  ...charge,
  ['provider', ({ about }) => about.slot],
  ['provider_refund_id', ({ about }) => about.provider_refund_id],
  ['requested_by', (row) => named(row.about.requested_by, row)],
  ['first_approved_by', (row) => named(row.about.first_approved_by, row)],
  ['decided_by', (row) => named(row.about.decided_by, row)],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['currency', (row) => row.currency],
  ['reason', (row) => row.reason],
  ['origin', (row) => row.origin],
  ['rejection_reason', (row) => row.rejection_reason],
  ['failure_message', (row) => row.failure_message],
  ['attention', (row) => row.attention?.reason],
  ['created_at', (row) => row.created_at],
  ['first_approved_at', (row) => row.first_approved_at],
  ['decided_at', (row) => row.decided_at],
  ['completed_at', (row) => row.completed_at],
];

export const discrepancies: readonly Column<Static<typeof discrepancy> & Described>[] = [
  ['id', (row) => row.id],
  ['kind', (row) => row.kind],
  ['status', (row) => row.status],
  ['date', (row) => row.date],
  ['provider', (row) => row.provider],
  ['amount_kobo', (row) => row.amount_kobo],
  ['difference_kobo', (row) => row.difference_kobo],
  ['settlement_id', (row) => row.settlement_id],
  ['transaction_id', (row) => row.transaction_id],
  ['reference', (row) => row.reference],
  ...charge,
  ['line_reference', ({ line }) => line?.provider_reference],
  ['line_amount_kobo', ({ line }) => line?.amount_kobo],
  ['line_fee_kobo', ({ line }) => line?.fee_kobo],
  ['detail', (row) => row.detail],
  ['closed_by', (row) => row.decider],
  ['close_reason', (row) => row.close_reason],
  ['opened_at', (row) => row.opened_at],
  ['ended_at', (row) => row.ended_at],
];

export const entries: readonly Column<Static<typeof entry>>[] = [
  ['id', (row) => row.id],
  ['type', (row) => row.type],
  ['what', (row) => row.words],
  ['amount_kobo', (row) => row.amount_kobo],
  ['currency', (row) => row.currency],
  ['provider', (row) => row.provider],
  ['source', (row) => row.source],
  ['reference', (row) => row.reference],
  ['created_at', (row) => row.created_at],
  ['occurred_at', (row) => row.occurred_at],
];

export const paymentLinks: readonly Column<
  Static<typeof paymentLink> & { charge?: Pick<ChargeRow, 'number'> }
>[] = [
  ['id', (row) => row.id],
  ['url', (row) => row.url],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['currency', (row) => row.currency],
  ['description', (row) => row.description],
  ['customer_email', (row) => row.customer?.email],
  ['customer_name', (row) => row.customer?.name],
  ['customer_phone', (row) => row.customer?.phone],
  ['provider', (row) => row.provider],
  ['reference', ({ charge }) => charge && referenceOf(charge.number)],
  ['transaction_id', (row) => row.transaction_id],
  ['created_at', (row) => row.created_at],
  ['expires_at', (row) => row.expires_at],
];

export const reviews: readonly Column<Static<typeof review> & Described>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => row.reference],
  ['transaction_id', (row) => row.transaction_id],
  ...charge,
  ['reason', (row) => row.reason],
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['provider', (row) => row.payment?.provider],
  ['reviewed_payment', (row) => row.payment?.provider_reference],
  ['reviewed_payment_kobo', (row) => row.payment?.amount_kobo],
  ['detail', (row) => row.detail],
  ['created_at', (row) => row.created_at],
  ['decided_by', (row) => row.decider],
  ['decided_at', (row) => row.decided_at],
];

export const disputes: readonly Column<ListedDispute & Described>[] = [
  ['id', (row) => row.id],
  ['reference', (row) => referenceOf(row.number)],
  ['transaction_id', (row) => row.charge_id],
  ...charge,
  ['status', (row) => row.status],
  ['amount_kobo', (row) => row.amount_kobo],
  ['provider', (row) => row.slot],
  ['provider_dispute_id', (row) => row.provider_dispute_id],
  ['reason', (row) => row.reason],
  ['answer_due_at', (row) => row.respond_by],
  ['answer', (row) => row.answer],
  ['answer_status', (row) => row.answer_status],
  ['opened_at', (row) => row.opened_at],
  ['decided_at', (row) => row.decided_at],
];

export type NamedEntry = AuditEntryRow & { who: string; subject: string };

export const auditEntries: readonly Column<NamedEntry>[] = [
  ['id', (row) => row.id],
  ['at', (row) => row.at],
  ['who', (row) => row.who],
  ['action', (row) => row.action],
  ['subject', (row) => row.subject],
  ['subject_id', (row) => row.subject_id],
  ['detail', (row) => row.detail],
];

export const customers: readonly Column<ListedCustomer>[] = [
  ['id', (row) => row.id],
  ['customer_email', (row) => row.email],
  ['customer_name', (row) => row.name],
  ['customer_phone', (row) => row.phone],
  ['created_at', (row) => row.created_at],
];

export const members: readonly Column<Static<typeof member>>[] = [
  ['email', (row) => row.email],
  ['name', (row) => row.name],
  ['role', (row) => row.role],
  ['status', (row) => row.status],
  ['has_second_factor', (row) => String(row.has_second_factor)],
  ['created_at', (row) => row.created_at],
  ['id', (row) => row.id],
];

/** A secret key by its last characters. */
export const apiKeys: readonly Column<Static<typeof apiKey>>[] = [
  ['name', (row) => row.name],
  ['kind', (row) => row.kind],
  ['last4', (row) => row.last4],
  ['key', (row) => row.key],
  ['allowed_origins', (row) => row.allowed_origins?.join(' ')],
  ['min_amount_kobo', (row) => row.min_amount_kobo],
  ['max_amount_kobo', (row) => row.max_amount_kobo],
  ['description', (row) => row.description],
  ['created_at', (row) => row.created_at],
  ['last_used_at', (row) => row.last_used_at],
  ['expires_at', (row) => row.expires_at],
  ['revoked_at', (row) => row.revoked_at],
  ['id', (row) => row.id],
];

export const endpoints: readonly Column<Static<typeof endpoint>>[] = [
  ['url', (row) => row.url],
  ['status', (row) => row.status],
  ['event_types', (row) => row.event_types.join(' ')],
  ['disabled_reason', (row) => row.disabled_reason],
  ['disabled_at', (row) => row.disabled_at],
  ['failing_since', (row) => row.failing_since],
  ['missed_since', (row) => row.missed_since],
  ['pending_deliveries', (row) => row.pending_deliveries],
  ['created_at', (row) => row.created_at],
  ['id', (row) => row.id],
];

export const connections: readonly Column<Static<typeof connection>>[] = [
  ['provider', (row) => row.provider],
  ['status', (row) => row.status],
  ['position', (row) => row.position],
  ['sandbox', (row) => String(row.sandbox)],
  ['notification_url', (row) => row.notification_url],
  ['credentials_refused_at', (row) => row.credentials_refused_at],
  ['created_at', (row) => row.created_at],
  ['id', (row) => row.id],
];

export const deliveries: readonly Column<Static<typeof delivery>>[] = [
  ['id', (row) => row.id],
  ['endpoint_id', (row) => row.endpoint_id],
  ['event_id', (row) => row.event_id],
  ['event_type', (row) => row.event_type],
  ['status', (row) => row.status],
  ['try_count', (row) => row.try_count],
  ['last_status_code', (row) => row.last_status_code],
  ['last_error', (row) => row.last_error],
  ['resend_of', (row) => row.resend_of],
  ['created_at', (row) => row.created_at],
  ['next_try_at', (row) => row.next_try_at],
  ['finished_at', (row) => row.finished_at],
];

export const requests: readonly Column<ListedRequest>[] = [
  ['at', (row) => row.at],
  ['method', (row) => row.method],
  ['path', (row) => row.path],
  ['status', (row) => row.status],
  ['duration_ms', (row) => row.duration_ms],
  ['key_last4', (row) => row.key_last4],
  ['error', (row) => row.error],
  ['id', (row) => row.id],
];
