import { p, table } from '../../shared/columns.ts';
import type { accounts, postingTypes } from './posting.ts';

/** What the postings of a connection before some id add up to, by type and accounts. */
export const BalanceSnapshot = table('balance_snapshots', {
  connection_id: p.ascii().primary(),
  before_id: p.ascii().primary(),
  type: p.text().$type<(typeof postingTypes)[number]>().primary(),
  debit: p.text().$type<(typeof accounts)[number]>().primary(),
  credit: p.text().$type<(typeof accounts)[number]>().primary(),
  amount_kobo: p.kobo(),
  /** Of the postings. */
  count: p.bigint(),
});

/** Postings before this id are in snapshots, but for the few latest of a connection. */
export const SnapshotPosition = table('snapshot_position', {
  only_row: p.boolean().primary(),
  before_id: p.ascii(),
});
