import type { Context } from '../../config/context.ts';

/** The statements that the service sends during an action; the sandbox polls for its own work. */
export async function statementsOf(
  { context: { db } }: { context: Pick<Context, 'db'> },
  action: () => Promise<unknown>,
): Promise<string[]> {
  const { query } = db;
  const texts: string[] = [];
  db.query = ((text: string, values: unknown[]) => {
    if (!text.includes('sandbox.')) texts.push(text);
    return query.call(db, text, values);
  }) as typeof query;
  await action().finally(() => {
    db.query = query;
  });
  return texts;
}
