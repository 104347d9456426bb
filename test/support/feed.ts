import type { Stack } from './stack.ts';
import { until } from './until.ts';

/**
 * Waits until the feed shows everything written so far. A transaction or a vacuum of another
 * test's database can hold it back for a moment, because they count together; a transaction that a
 * test leaves open does so for ever.
 */
export async function nothingHeldBack({ context: { db } }: Stack): Promise<void> {
  const [row] = await db.query<{ head: number }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as head',
  );
  await until('the end of every transaction that runs', async () => {
    const [horizon] = await db.query<{ xmin: number }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin',
    );
    return horizon!.xmin >= row!.head;
  });
}
