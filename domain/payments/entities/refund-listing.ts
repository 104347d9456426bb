import { p, table } from '../../shared/columns.ts';

/** How far the copy of an account's refunds goes: some providers do not list them by payment. */
export const RefundListing = table('refund_listings', {
  connection_id: p.ascii().primary(),
  /** The copy holds every refund that was created since, once it was whole. */
  covered_from: p.timestamp(),
  /** Counted up whenever the list is read anew. */
  generation: p.integer(),
  /** The provider is asked for refunds from this time on. */
  listed_from: p.timestamp(),
  /** How many refunds from that time on are known. */
  known_count: p.integer(),
  /** The first page that was not read yet. */
  next_page: p.integer(),
  /** How often the pages of this generation were walked through, this time included. */
  walks: p.integer(),
  /** When this generation began. */
  begun_at: p.timestamp(),
  /** The copy held every refund at this time; null: not yet in this generation. */
  whole_at: p.timestamp().strictNullable(),
  /** True: the total that the provider states is the number of refunds it lists. */
  trusts_total: p.boolean(),
});

/** A refund that the provider listed, whoever made it. */
export const ListedRefund = table('listed_refunds', {
  connection_id: p.ascii().primary(),
  /** Empty where the list does not name the payment. */
  provider_payment_id: p.text().primary(),
  provider_refund_id: p.text().primary(),
  /** Our id, where the provider's record holds one. */
  refund_id: p.ascii().strictNullable(),
  /** The last generation that listed it. */
  generation: p.integer(),
  listed_at: p.timestamp(),
  /** True: a refund of this service is it, or the provider was asked about it. */
  is_recorded: p.boolean(),
});
