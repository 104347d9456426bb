import { type ChargeRow, checkoutStatusOf } from '../../domain/payments/charge/row.ts';

/** States in which the view waits for the next one. */
const waiting = ['preparing', 'confirming', 'closing'] as const;

/** `ready` redirects to the provider, the rest are outcomes. */
export type PayState =
  | (typeof waiting)[number]
  | 'ready'
  | 'on_hold'
  | 'superseded'
  | 'done'
  | 'refunded'
  | 'failed'
  | 'expired';

export function isWaiting(state: PayState): boolean {
  return (waiting as readonly PayState[]).includes(state);
}

/** A charge with what else its view shows. */
export interface PaidFor {
  charge: ChargeRow;
  /** The provider's payment page, once there is one that takes money. */
  url: string | null;
  /** Another charge that paid the payment link of this one; null: none. */
  linkPaidBy: string | null;
}

export function payState({ charge, url, linkPaidBy }: PaidFor, returned: boolean): PayState {
  const status = checkoutStatusOf(charge);
  if (status === 'completed') return charge.status === 'refunded' ? 'refunded' : 'done';
  if (status !== 'open') return status;
  if (linkPaidBy !== null) return 'superseded';
  if (ON_HOLD.some((reason) => charge.review.includes(reason)) && url === null) return 'on_hold';
  if (charge.cancel_requested_at !== null) return 'closing';
  if (returned) return 'confirming';
  return url === null ? 'preparing' : 'ready';
}

/** Reviews that a person has to decide before the charge can succeed. */
const ON_HOLD = ['underpaid', 'capture_mismatch'] as const;
