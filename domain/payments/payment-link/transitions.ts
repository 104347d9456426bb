import { follow, type Transitions } from '../../shared/transitions.ts';
import type { linkStatuses } from '../entities/payment-link.ts';

export type LinkStatus = (typeof linkStatuses)[number];

export type LinkCause = 'paid' | 'time over' | 'disabled by the merchant';

/**
 * The first payment stays the link's. Who began before a link ended may finish: money is never
 * dropped.
 */
export const linkTransitions = {
  active: { paid: 'paid', 'time over': 'expired', 'disabled by the merchant': 'disabled' },
  expired: { paid: 'paid' },
  disabled: { paid: 'paid' },
  paid: {},
} as const satisfies Transitions<LinkStatus, LinkCause>;

/** Expired at its time, whether or not that has been written. */
export function linkStatusAt(
  link: { status: LinkStatus; expires_at: Date },
  now: Date,
): LinkStatus {
  const isOver = link.expires_at <= now;
  return (isOver ? follow(linkTransitions, link.status, 'time over') : undefined) ?? link.status;
}
