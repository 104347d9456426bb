import { type Sql, statement } from './sql.ts';

/** Beyond this nobody is told how many, so that a count costs the same however many there are. */
export const MOST_COUNTED = 1_000;

/** How many rows a list has. */
export interface Count {
  count: number;
  /** False: there are, or may be, more. */
  isWhole: boolean;
  /** As many are counted at most. */
  most: number;
}

/** With their sum in kobo. */
export interface Total extends Count {
  amountKobo: number;
}

interface Counted {
  count: number;
  amount_kobo: number;
}

/** Of the rows that a statement selects with their `amount_kobo`. */
export async function totalOfRows(
  sql: Sql,
  rows: string,
  values: readonly unknown[],
): Promise<Total> {
  return totalIn(await sql.query<Counted>(counting(rows), values));
}

/** Made when a module loads: each `:name` in `rows` takes the value of that name. */
export function totalStatement(rows: string) {
  const count = statement<Counted>(counting(rows));
  return async (...asked: Parameters<typeof count>): Promise<Total> =>
    totalIn(await count(...asked));
}

const counting = (rows: string) => `
  select count(*) as count, coalesce(sum(amount_kobo), 0)::bigint as amount_kobo
  from (${rows} limit ${MOST_COUNTED + 1}) counted`;

function totalIn([found]: Counted[]): Total {
  const { count, amount_kobo: amountKobo } = found!;
  return { count, amountKobo, isWhole: count <= MOST_COUNTED, most: MOST_COUNTED };
}
