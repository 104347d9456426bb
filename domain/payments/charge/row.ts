import { nullsOf, type RowOf } from '../../shared/columns.ts';
import { checkoutIdOf, referenceOf } from '../../shared/ids.ts';
import type { Slot } from '../../shared/slot.ts';
import { Charge } from '../entities/charge.ts';
import { isUnpaid } from './transitions.ts';

export type ChargeRow = RowOf<typeof Charge>;

/** What whoever asks for a charge gives, by its SQL type. */
export const givenColumns = {
  id: 'text',
  mode: 'text',
  merchant_reference: 'text',
  amount_kobo: 'bigint',
  currency: 'text',
  email: 'text',
  name: 'text',
  phone: 'text',
  description: 'text',
  return_url: 'text',
  opener_origin: 'text',
  metadata: 'json',
  provider_wanted: 'text',
  expires_at: 'timestamptz',
  test_scenario: 'text',
} as const satisfies Partial<Record<keyof ChargeRow, string>>;

export type NewCharge = Pick<ChargeRow, keyof typeof givenColumns>;

export const blankCharge = nullsOf(Charge);

export type CheckoutStatus = 'open' | 'completed' | 'failed' | 'expired';

export function checkoutStatusOf(
  charge: Pick<ChargeRow, 'status' | 'failure_cause'>,
): CheckoutStatus {
  if (isUnpaid(charge.status)) return 'open';
  if (charge.status !== 'failed') return 'completed';
  return charge.failure_cause === 'expired' ? 'expired' : 'failed';
}

/** The API's transaction object. Times ISO 8601 UTC. */
export function transactionView(charge: ChargeRow) {
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

/** A new charge has these once it is written. */
interface CheckoutState {
  reference: string;
  status: CheckoutStatus;
  provider: Slot;
  transaction: ReturnType<typeof transactionView> | null;
}

/** `publicUrl` has no trailing slash. */
export function checkoutView(
  charge: NewCharge,
  { reference, status, provider, transaction }: CheckoutState,
  publicUrl: string,
) {
  const id = checkoutIdOf(charge.id);
  return {
    object: 'checkout' as const,
    id,
    reference,
    merchant_reference: charge.merchant_reference,
    status,
    amount_kobo: charge.amount_kobo,
    currency: charge.currency,
    checkout_url: `${publicUrl}/pay/${id}`,
    checkout_token: id,
    provider,
    expires_at: charge.expires_at.toISOString(),
    mode: charge.mode,
    transaction,
  };
}

export function checkoutOf(charge: ChargeRow, publicUrl: string) {
  const status = checkoutStatusOf(charge);
  const state = {
    reference: referenceOf(charge.number),
    status,
    provider: charge.slot,
    transaction: status === 'completed' ? transactionView(charge) : null,
  };
  return checkoutView(charge, state, publicUrl);
}
