import type { Sql } from './sql.ts';

/** Beyond this nobody is told how many, so that a count costs the same however many there are. */
export const MOST_COUNTED = 10_000;

/** How many rows a list has, and their sum in kobo. */
export interface Total {
  count: number;
  amountKobo: number;
  /** False: there are, or may be, more. */
  isWhole: boolean;
  /** As many are counted at most. */
  most: number;
}

/** Of the rows that a statement selects with their `amount_kobo`. */
export async function totalOfRows(
  sql: Sql,
  rows: string,
  values: readonly unknown[],
): Promise<Total> {
  const [found] = await sql.query<{ count: number; amount_kobo: number }>(
    `select count(*) as count, coalesce(sum(amount_kobo), 0)::bigint as amount_kobo
     from (${rows} limit ${MOST_COUNTED + 1}) counted`,
    values,
  );
  const { count, amount_kobo: amountKobo } = found!;
  return { count, amountKobo, isWhole: count <= MOST_COUNTED, most: MOST_COUNTED };
}
