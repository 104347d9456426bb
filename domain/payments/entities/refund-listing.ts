import { p, table } from '../../shared/columns.ts';

/** A copy of an account's refunds, where a provider does not list them by payment. */
export const RefundListing = table('refund_listings', {
  connection_id: p.ascii().primary(),
  /** The copy holds every refund since, once whole. */
  covered_from: p.timestamp(),
  generation: p.integer(),
  listed_from: p.timestamp(),
  known_count: p.integer(),
  next_page: p.integer(),
  walks: p.integer(),
  begun_at: p.timestamp(),
  /** Null: not yet in this generation. */
  whole_at: p.timestamp().strictNullable(),
  trusts_total: p.boolean(),
});

export const ListedRefund = table('listed_refunds', {
  connection_id: p.ascii().primary(),
  /** Empty where the list does not name it. */
  provider_payment_id: p.text().primary(),
  provider_refund_id: p.text().primary(),
  refund_id: p.ascii().strictNullable(),
  generation: p.integer(),
  listed_at: p.timestamp(),
  is_recorded: p.boolean(),
});
