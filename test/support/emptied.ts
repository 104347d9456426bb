/** Where a connection's money is written, with all that hangs on it. */
const BOOKS = [
  ...[
    'charges',
    'captures',
    'attempts',
    'settlements',
    'settlement_lines',
    'settlement_deductions',
    'discrepancies',
    'refunds',
  ],
  ...['disputes', 'reviews', 'events', 'deliveries', 'timeline_entries', 'evidence'],
];

/**
 * Deletes every row. Where there are few, a twentieth of the work of `truncate`, which makes every
 * file and index anew.
 */
export async function emptyTables(rows: (statement: string) => Promise<unknown>): Promise<void> {
  const deletes = BOOKS.map((table) => `delete from ${table}`).join('; ');
  // As a replica nobody asks what refers to a row that goes: in the end all of them are gone.
  await rows(`do $$ begin set local session_replication_role = replica; ${deletes}; end $$`);
}
