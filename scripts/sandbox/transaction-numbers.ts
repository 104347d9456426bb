import type { Sql } from '../../domain/shared/sql.ts';

/** One statement for so many; those that the sandbox has left when it ends are never used. */
const drawnAtOnce = 100;

/** Numbers that no other payment has, each larger than the one before. */
export function createTransactionNumbers(sql: Sql): () => Promise<number> {
  const drawn: number[] = [];
  let drawing: Promise<void> | undefined;

  async function draw(): Promise<void> {
    const rows = await sql.query<{ number: number }>(
      `select nextval('sandbox.transaction_number') as number from generate_series(1, $1::integer)`,
      [drawnAtOnce],
    );
    drawn.push(...rows.map(({ number }) => number));
  }

  return async () => {
    for (;;) {
      const number = drawn.shift();
      if (number !== undefined) return number;
      drawing ??= draw().finally(() => {
        drawing = undefined;
      });
      await drawing;
    }
  };
}
