import { follow, type Transitions } from '../../shared/transitions.ts';
import type { linkStatuses } from '../entities/payment-link.ts';

export type LinkStatus = (typeof linkStatuses)[number];

/** What can happen to a payment link. */
export type LinkCause = 'paid' | 'time over' | 'disabled by the merchant';

/**
 * Where each cause takes a link. A pair that is absent changes nothing, so the first payment stays
 * the link's. Who began to pay before a link ended may still finish, and money is never dropped: it
 * makes an expired or disabled link paid after all.
 */
export const linkTransitions = {
  active: { paid: 'paid', 'time over': 'expired', 'disabled by the merchant': 'disabled' },
  expired: { paid: 'paid' },
  disabled: { paid: 'paid' },
  paid: {},
} as const satisfies Transitions<LinkStatus, LinkCause>;

/**
 * What a link is at this moment: past its time it is expired at once, whether or not that has been
 * written.
 */
export function linkStatusAt(
  link: { status: LinkStatus; expires_at: Date },
  now: Date,
): LinkStatus {
  const isOver = link.expires_at <= now;
  return (isOver ? follow(linkTransitions, link.status, 'time over') : undefined) ?? link.status;
}
