import { type ChargeRow, checkoutStatusOf } from '../../domain/payments/charge/row.ts';

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

export interface PaidFor {
  charge: ChargeRow;
  /** Set once there is a page that takes money. */
  url: string | null;
  /** Another charge that paid the same link. */
  linkPaidBy: string | null;
}

export function payState({ charge, url, linkPaidBy }: PaidFor, returned: boolean): PayState {
  const status = charge.retrying ? 'open' : checkoutStatusOf(charge);
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
