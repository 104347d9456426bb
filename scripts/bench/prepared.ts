/** A statement that is prepared once on each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const names = new Map<string, string>();

export function named(text: string, values: unknown[]): Statement {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values };
}

export function insert(table: string, row: Readonly<Record<string, unknown>>, more = '') {
  const columns = Object.keys(row);
  const places = columns.map((_, n) => `$${n + 1}`);
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})${more}`;
  return named(text, Object.values(row));
}
