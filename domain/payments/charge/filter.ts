import type { Interval } from '../../accounts/tenant/days.ts';
import { channels } from '../../providers/port/payment.ts';
import { slots } from '../../shared/slot.ts';
import { chargeStatuses } from '../entities/charge.ts';

/** Which charges are wanted. What is left out is any. */
export interface ChargeFilter extends Partial<Record<ChargeKey, string | number | undefined>> {
  /** One of these. */
  status?: readonly string[] | undefined;
  slot?: string | undefined;
  /** One of these. */
  channel?: readonly string[] | undefined;
  /** When it was paid, or created while it is not. */
  occurred: Interval;
}

export const ANY_TIME: Interval = { start: null, end: null };

/** The rows of one value are next to each other in an index. */
export type ChargeKey = keyof typeof chargeKeys;

/** SQL: which rows a key means. Those that usually have fewest rows come first. */
export const chargeKeys = {
  /** The provider's id of the payment. */
  providerReference: 'provider_reference = :providerReference',
  paymentLinkId: 'payment_link_id = :paymentLinkId',
  merchantReference: 'merchant_reference = :merchantReference',
  /** At most the payments of a day. */
  settlementId: 'settlement_id = :settlementId',
  /** As it is stored. */
  phone: 'phone = :phone',
  /** In any case. */
  email: 'lower(email) = lower(:email)',
  amountKobo: 'amount_kobo = :amountKobo',
} as const;

const allKeys = Object.keys(chargeKeys) as ChargeKey[];

export const keysIn = (filter: ChargeFilter): ChargeKey[] =>
  allKeys.filter((key) => filter[key] !== undefined);

/**
 * The values of a statement: status, slot and channel that match, each column's all where it is not
 * filtered, and each key or null. '' is a channel not known yet.
 */
export function matching(filter: ChargeFilter) {
  const { status = chargeStatuses, slot, channel = [...channels, ''], occurred } = filter;
  return {
    statuses: status,
    slots: slot === undefined ? slots : [slot],
    channels: channel,
    isAnyCombination: isAnyCombination(filter),
    start: occurred.start ?? '-infinity',
    end: occurred.end ?? 'infinity',
    ...Object.fromEntries(allKeys.map((key) => [key, filter[key] ?? null])),
  };
}

const parameterTypes: Partial<Record<ChargeKey, string>> = { amountKobo: 'bigint' };

/** SQL: of a row that was found by `lead`, whether the other keys of the filter match. */
export const otherKeys = (lead?: ChargeKey): string =>
  allKeys
    .filter((key) => key !== lead)
    .map((key) => `and (:${key}::${parameterTypes[key] ?? 'text'} is null or ${chargeKeys[key]})`)
    .join('\n  ');

export const IN_COMBINATION = `(:isAnyCombination or (status = any(:statuses)
  and slot = any(:slots) and coalesce(channel, '') = any(:channels)))`;

/** No status, slot or channel is filtered. */
export const isAnyCombination = ({ status, slot, channel }: ChargeFilter): boolean =>
  status === undefined && slot === undefined && channel === undefined;
