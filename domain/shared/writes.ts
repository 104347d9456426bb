import type { Sql, Write, Writer } from './sql.ts';

export interface CollectingWriter extends Writer {
  /** Sends what waits. Called before the commit. */
  flush(): Promise<void>;
}

/**
 * Collects writes, and sends them before any other statement of the transaction, so that each
 * statement sees what was written before it.
 */
export function collectWrites(sql: Sql): CollectingWriter {
  let waiting: Write[] = [];
  const flush = async () => {
    if (waiting.length === 0) return;
    const sent = waiting;
    waiting = [];
    await send(sql, sent);
  };
  return {
    async query(text, values) {
      await flush();
      return sql.query(text, values);
    },
    async write(write) {
      if (waiting.some(({ parts }) => hasNameIn(parts, write.parts))) await flush();
      waiting.push(write);
    },
    flush,
  };
}

function hasNameIn(one: Write['parts'], other: Write['parts']): boolean {
  return Object.keys(one).some((name) => name in other);
}

async function send(sql: Sql, writes: readonly Write[]): Promise<void> {
  const values: unknown[] = [];
  const parts: string[] = [];
  for (const write of writes) {
    for (const [name, text] of Object.entries(write.parts))
      parts.push(`${name} as (${numberedFrom(values.length, text)})`);
    values.push(...write.values);
  }
  const demanding = writes.filter(({ otherwise }) => otherwise);
  const found = demanding.map((write) => `exists (select from ${lastOf(write.parts)})`);
  const [row] = await sql.query<{ found: boolean[] }>(
    `with ${parts.join(', ')} select array[${found.join(', ')}]::boolean[] as found`,
    values,
  );
  for (const [n, { otherwise }] of demanding.entries()) {
    const error = row!.found[n] ? undefined : otherwise!();
    if (error) throw error;
  }
}

const lastOf = (parts: Write['parts']) => Object.keys(parts).at(-1)!;

/** The text with its parameters counted on from those of the writes before it. */
function numberedFrom(count: number, text: string): string {
  return count === 0
    ? text
    : text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${count + Number(n)}`);
}
