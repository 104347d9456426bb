import type { RowOf } from '../../shared/columns.ts';
import { checkoutIdOf, referenceOf } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Charge } from '../entities/charge.ts';
import { isUnpaid } from './transitions.ts';

/** A charge. Kobo are numbers, times are dates. */
export type ChargeRow = RowOf<typeof Charge>;

export type CheckoutStatus = 'open' | 'completed' | 'failed' | 'expired';

/** What the payer's side shows of a charge: open until money came or it failed. */
export function checkoutStatusOf(
  charge: Pick<ChargeRow, 'status' | 'failure_cause'>,
): CheckoutStatus {
  if (isUnpaid(charge.status)) return 'open';
  if (charge.status !== 'failed') return 'completed';
  return charge.failure_cause === 'expired' ? 'expired' : 'failed';
}

/** The columns that a transaction shows. */
type ShownCharge = Pick<
  ChargeRow,
  | 'id'
  | 'mode'
  | 'number'
  | 'status'
  | 'merchant_reference'
  | 'amount_kobo'
  | 'fee_kobo'
  | 'refunded_kobo'
  | 'currency'
  | 'email'
  | 'name'
  | 'phone'
  | 'metadata'
  | 'slot'
  | 'channel'
  | 'provider_reference'
  | 'failure_message'
  | 'occurred_at'
  | 'settled_at'
  | 'settlement_id'
  | 'recovered'
>;

/**
 * The transaction object of the contract: every field always present, money integer kobo, times ISO
 * 8601 UTC.
 */
export function transactionView(charge: ShownCharge) {
  return {
    object: 'transaction' as const,
    id: charge.id,
    reference: referenceOf(charge.number),
    merchant_reference: charge.merchant_reference,
    type: 'charge' as const,
    status: charge.status,
    provider: charge.slot,
    provider_reference: charge.provider_reference,
    amount_kobo: charge.amount_kobo,
    fee_kobo: charge.fee_kobo,
    net_kobo: charge.amount_kobo - charge.fee_kobo,
    refunded_kobo: charge.refunded_kobo,
    currency: charge.currency,
    channel: charge.channel,
    customer: { email: charge.email, name: charge.name, phone: charge.phone },
    failure_message: charge.failure_message,
    occurred_at: charge.occurred_at.toISOString(),
    settled_at: charge.settled_at?.toISOString() ?? null,
    settlement_id: charge.settlement_id,
    recovered: charge.recovered,
    metadata: charge.metadata,
    mode: charge.mode,
  };
}

/**
 * What a new checkout's answer is made of; `reference` and `provider` are known only once it is
 * written.
 */
export interface CheckoutFields {
  id: string;
  reference: string;
  merchantReference: string | null;
  status: CheckoutStatus;
  amountKobo: number;
  currency: string;
  provider: Slot;
  expiresAt: Date;
  mode: Mode;
  transaction: ReturnType<typeof transactionView> | null;
}

/** The checkout object of the contract. `publicUrl` has no trailing slash. */
export function checkoutView(fields: CheckoutFields, publicUrl: string) {
  return {
    object: 'checkout' as const,
    id: fields.id,
    reference: fields.reference,
    merchant_reference: fields.merchantReference,
    status: fields.status,
    amount_kobo: fields.amountKobo,
    currency: fields.currency,
    checkout_url: `${publicUrl}/pay/${fields.id}`,
    checkout_token: fields.id,
    provider: fields.provider,
    expires_at: fields.expiresAt.toISOString(),
    mode: fields.mode,
    transaction: fields.transaction,
  };
}

/** The checkout of a stored charge. */
export function checkoutOf(charge: ChargeRow, publicUrl: string) {
  const status = checkoutStatusOf(charge);
  const fields = {
    id: checkoutIdOf(charge.id),
    reference: referenceOf(charge.number),
    merchantReference: charge.merchant_reference,
    status,
    amountKobo: charge.amount_kobo,
    currency: charge.currency,
    provider: charge.slot,
    expiresAt: charge.expires_at,
    mode: charge.mode,
    transaction: status === 'completed' ? transactionView(charge) : null,
  };
  return checkoutView(fields, publicUrl);
}
