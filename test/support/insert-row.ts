import type { Stack } from './stack.ts';

/** Writes a row without the code that would; columns not given have their defaults. */
export async function insertRow(
  { context }: Pick<Stack, 'context'>,
  table: string,
  row: object,
): Promise<void> {
  const columns = Object.keys(row).join(', ');
  await context.db.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`,
    [JSON.stringify(row)],
  );
}
