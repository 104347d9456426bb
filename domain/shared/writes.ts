import type { RowsWrite, Sql, Write, Writer } from './sql.ts';

export interface CollectingWriter extends Writer {
  /** Called before the commit. */
  flush(): Promise<void>;
}

type Waiting = Map<RowsWrite, Map<string, Write>>;

/** Sends them before any other statement, which so sees what was written before it. */
export function collectWrites(sql: Sql): CollectingWriter {
  let waiting: Waiting = new Map();
  const flush = async () => {
    if (waiting.size === 0) return;
    const sent = waiting;
    waiting = new Map();
    await send(sql, sent);
  };
  return {
    async query(text, values) {
      await flush();
      return sql.query(text, values);
    },
    async write(write) {
      const { kind, row } = write;
      if ([...waiting.keys()].some((other) => areApart(kind, other))) await flush();
      const before = waiting.get(kind)?.get(row.key);
      if (before && kind.ignoresRepeats) return;
      const both = before && together(before, write);
      if (before && !both) await flush();
      const rows = waiting.get(kind) ?? new Map<string, Write>();
      waiting.set(kind, rows.set(row.key, both ?? write));
    },
    flush,
  };
}

function areApart(one: RowsWrite, other: RowsWrite): boolean {
  return one.apartFrom === other.name || other.apartFrom === one.name;
}

/** Undefined: not in one row of the statement. */
function together(one: Write, other: Write): Write | undefined {
  const { kind, row } = one;
  const given = Object.entries(other.row).filter(
    ([column, value]) => column !== 'key' && value !== null,
  );
  if (!kind.nullLeaves || given.some(([column]) => row[column] !== null)) return undefined;
  return { ...one, row: { ...row, ...Object.fromEntries(given) } };
}

/** In one order, so that few texts are planned. */
async function send(sql: Sql, waiting: Waiting): Promise<void> {
  const kinds = [...waiting.keys()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const all = kinds.map((kind) => {
    const rows = [...waiting.get(kind)!.values()];
    return kind.keepsOrder ? rows : rows.toSorted(byKey);
  });
  const demanding = kinds.filter((_, n) => all[n]!.some(({ otherwise }) => otherwise));
  const values = kinds.flatMap(({ columns }, n) =>
    Object.keys(columns).map((column) => all[n]!.map(({ row }) => given(row[column], column))),
  );
  const [written] = await sql.query<Record<string, string[]>>(textOf(kinds, demanding), values);
  for (const { kind, row, otherwise } of all.flat()) {
    if (!otherwise || written![kind.name]!.includes(row.key)) continue;
    const error = otherwise();
    if (error) throw error;
  }
}

/** In one order, so that two transactions do not deadlock. */
const byKey = ({ row: one }: Write, { row: other }: Write) =>
  one.key < other.key ? -1 : Number(one.key > other.key);

function textOf(kinds: readonly RowsWrite[], demanding: readonly RowsWrite[]): string {
  let position = 0;
  const parts = kinds.map(({ name, columns, text }) => {
    const arrays = Object.values(columns).map((type) => `$${++position}::${type}[]`);
    const rows = `unnest(${arrays.join(', ')}) as row (${Object.keys(columns).join(', ')})`;
    return `${name} as (${text.replace(':rows', rows)})`;
  });
  const written = demanding.map(({ name }) => `array(select key from ${name}) as ${name}`);
  return `with ${parts.join(', ')} select ${written.join(', ') || 'true as written'}`;
}

function given(value: unknown, column: string): unknown {
  if (value === undefined) throw new Error(`A row to write has no value for ${column}.`);
  return value;
}
