const { stdout } = process;

/** Kept for a table that is drawn again. */
const MOST_ROWS = 200;

/** An object: indented on a terminal, else a line. */
export function print(object) {
  stdout.write(`${JSON.stringify(object, null, stdout.isTTY ? 2 : 0)}\n`);
}

/** The objects of a list's pages: a table on a terminal, else a line each. */
export async function printPages(pages) {
  let isFirst = true;
  for await (const { data } of pages) {
    if (!stdout.isTTY) for (const item of data) print(item);
    else if (data.length > 0) {
      const [heading, ...lines] = linesOf(data.map(rowOf), stdout.columns || 80);
      stdout.write(`${[...(isFirst ? [heading] : []), ...lines].join('\n')}\n`);
    }
    isFirst = false;
  }
}

/**
 * A table whose rows can change: of the last that fit on the terminal, drawn again in place.
 * @param {Pick<NodeJS.WriteStream, 'rows' | 'columns' | 'write'>} terminal
 */
export function liveTable(terminal) {
  const rows = new Map();
  let drawn = 0;
  return {
    /** @param {string} id @param {Record<string, string>} row */
    show(id, row) {
      rows.set(id, row);
      if (rows.size > MOST_ROWS) rows.delete(rows.keys().next().value);
      // Some terminals say 0, for not known.
      const [height, width] = [terminal.rows || 24, terminal.columns || 80];
      const lines = linesOf([...rows.values()].slice(-Math.max(1, height - 2)), width - 1);
      terminal.write(`${drawn > 0 ? `\x1b[${drawn}A` : ''}\x1b[J${lines.join('\n')}\n`);
      drawn = lines.length;
    },
  };
}

function linesOf(rows, width) {
  const names = Object.keys(rows[0]);
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => clean(row[name]))),
  ];
  const widths = names.map((_, n) => Math.max(...cells.map((line) => line[n].length)));
  return cells.map((line) => {
    const text = line.map((cell, n) => cell.padEnd(widths[n])).join('  ');
    return text.slice(0, width).trimEnd();
  });
}

/** No character of a merchant's or payer's text moves the cursor. */
const clean = (text) => String(text ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '·');

/** What tells objects of one kind apart. */
const columns = [
  'reference',
  'merchant_reference',
  'name',
  'email',
  'url',
  'type',
  'kind',
  'status',
];

function rowOf(item) {
  const shown = columns.filter((name) => name in item).map((name) => [name, item[name]]);
  const time = item.occurred_at ?? item.created_at;
  return Object.fromEntries([
    ['id', item.id],
    ...shown,
    ...('amount_kobo' in item ? [['amount', naira(item.amount_kobo)]] : []),
    ...(time ? [['time', shortTime(time)]] : []),
  ]);
}

/** In UTC. */
export const shortTime = (time) => time.slice(0, 19).replace('T', ' ');

/** @param {number | null | undefined} kobo */
export function naira(kobo) {
  if (kobo === null || kobo === undefined) return '';
  return `₦${(kobo / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;
}
