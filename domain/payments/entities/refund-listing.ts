import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';

/** How far the copy of an account's refunds goes. */
export const RefundListing = defineEntity({
  name: 'RefundListing',
  tableName: 'refund_listings',
  properties: {
    connection_id: ascii().primary(),
    /** The copy holds every refund that was created since, once it was whole. */
    covered_from: timestamp(),
    /** Counted up whenever the list is read anew. */
    generation: p.integer().default(1),
    /** The provider is asked for refunds from this time on. */
    listed_from: timestamp(),
    /** How many refunds from that time on are known. */
    known_count: p.integer().default(0),
    /** The first page that was not read yet. */
    next_page: p.integer().default(1),
    /** How often the pages of this generation were walked through, this time included. */
    walks: p.integer().default(1),
    /** When this generation began. */
    begun_at: timestamp(),
    /** The copy held every refund at this time; null: not yet in this generation. */
    whole_at: timestamp().strictNullable(),
    /** True: the total that the provider states is the number of refunds it lists. */
    trusts_total: p.boolean().default(false),
  },
});

/** A refund that the provider listed, whoever made it. */
export const ListedRefund = defineEntity({
  name: 'ListedRefund',
  tableName: 'listed_refunds',
  properties: {
    connection_id: ascii().primary(),
    /** Empty where the list does not name the payment. */
    provider_payment_id: p.text().primary(),
    provider_refund_id: p.text().primary(),
    /** Our id, where the provider's record holds one. */
    refund_id: ascii().strictNullable(),
    /** The last generation that listed it. */
    generation: p.integer(),
    listed_at: timestamp(),
    /** True: a refund of this service is it, or the provider was asked about it. */
    is_recorded: p.boolean().default(false),
  },
  indexes: [
    { name: 'listed_refunds_age', properties: ['listed_at'] },
    {
      name: 'listed_refunds_unrecorded',
      properties: ['connection_id', 'listed_at'],
      where: `not is_recorded`,
    },
  ],
});
