import { ofTenant, p, table } from '../../shared/columns.ts';

export const accounts = [
  ...(['at_provider', 'bank', 'held_by_dispute'] as const),
  ...(['collected', 'fees', 'refunds', 'disputes_lost'] as const),
  ...(['payers', 'other_business', 'differences', 'written_off'] as const),
];

export const postingTypes = [
  ...(['capture', 'imported', 'fee', 'refund', 'dispute'] as const),
  ...(['payout', 'other_business', 'difference', 'write_off'] as const),
];

/** Appended only. */
export const Posting = table('postings', {
  id: p.ascii().primary(),
  ...ofTenant,
  connection_id: p.ascii(),
  debit: p.text().$type<(typeof accounts)[number]>(),
  credit: p.text().$type<(typeof accounts)[number]>(),
  amount_kobo: p.kobo(),
  type: p.text().$type<(typeof postingTypes)[number]>(),
  /** The record that moved it. */
  source: p.ascii(),
  /** Of the postings of a source and type. */
  sequence: p.integer(),
  occurred_at: p.timestamp(),
  created_at: p.timestamp(),
});
