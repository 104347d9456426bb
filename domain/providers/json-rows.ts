/**
 * A longer row is an error: it would fill the memory. A settlement may name its payments, of which
 * 100,000 are expected at the most, in one text.
 */
const MAX_ROW_CHARS = 5_000_000;

/** Deeper nesting is an error. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENS_LIST, CLOSES_LIST, OPENS_OBJECT, CLOSES_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What is read of a JSON array of objects, the rows, that comes piece by piece. */
export interface RowsRead {
  /** Called where a row begins. `stop`: it is not read, and nothing after it. */
  begin: () => 'keep' | 'skip' | 'stop';
  /** The text of a row to keep, with `{}` in place of its lists and objects. */
  keep: (row: string) => void;
  place: 'first' | 'in a row' | 'after a row' | 'after a comma';
  isKept: boolean;
  /** The row so far. */
  kept: string;
  isText: boolean;
  isEscaped: boolean;
  /** What closes each level of the row. */
  closers: number[];
}

/** Begins to read rows, after the `[` of their array. */
export function beginRows({ begin, keep }: Pick<RowsRead, 'begin' | 'keep'>): RowsRead {
  const inRow = { isKept: false, kept: '', isText: false, isEscaped: false, closers: [] };
  return { begin, keep, place: 'first', ...inRow };
}

/**
 * Reads rows from a position of the text on. Returns the position of the `]` that ends them, the
 * length of the text where they go on, or undefined where a row stops the reading. Looks at nothing
 * but quotes and brackets, which takes a tenth of the time of a parser: what is kept is to be
 * parsed, and what is skipped is not checked any further.
 */
export function readRows(rows: RowsRead, text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    if (rows.place === 'in a row') {
      at = readRow(rows, text, at);
      continue;
    }
    const char = text.charCodeAt(at);
    if (char === CLOSES_LIST && rows.place !== 'after a comma') return at;
    if (char === OPENS_OBJECT && rows.place !== 'after a row') {
      if (!enterRow(rows)) return undefined;
    } else if (char === COMMA && rows.place === 'after a row') {
      rows.place = 'after a comma';
    } else if (!isBlank(char)) {
      throw new Error('the list holds something that is no row');
    }
    at++;
  }
  return at;
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}

function enterRow(rows: RowsRead): boolean {
  const what = rows.begin();
  if (what === 'stop') return false;
  Object.assign(rows, { place: 'in a row', isKept: what === 'keep', kept: '{' });
  rows.closers.push(CLOSES_OBJECT);
  return true;
}

/** Reads on in a row. Returns the position after it, or the length of the text. */
function readRow(rows: RowsRead, text: string, from: number): number {
  let start = from;
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (rows.isText) {
      readText(rows, char);
    } else if (char === QUOTE) {
      rows.isText = true;
    } else if (char === OPENS_OBJECT || char === OPENS_LIST) {
      if (rows.closers.length === 1) add(rows, text.slice(start, at));
      openLevel(rows, char);
    } else if (char === CLOSES_OBJECT || char === CLOSES_LIST) {
      if (rows.closers.pop() !== char) throw new Error('a row has brackets that do not match');
      if (rows.closers.length === 1) {
        add(rows, '{}');
        start = at + 1;
      } else if (rows.closers.length === 0) {
        add(rows, text.slice(start, at + 1));
        return leaveRow(rows, at + 1);
      }
    }
  }
  if (rows.closers.length === 1) add(rows, text.slice(start));
  return text.length;
}

function readText(rows: RowsRead, char: number): void {
  if (rows.isEscaped) rows.isEscaped = false;
  else if (char === BACKSLASH) rows.isEscaped = true;
  else if (char === QUOTE) rows.isText = false;
}

function openLevel({ closers }: RowsRead, char: number): void {
  if (closers.push(char === OPENS_LIST ? CLOSES_LIST : CLOSES_OBJECT) > MAX_DEPTH)
    throw new Error(`a row nests deeper than ${MAX_DEPTH} levels`);
}

function add(rows: RowsRead, text: string): void {
  if (!rows.isKept) return;
  rows.kept += text;
  if (rows.kept.length > MAX_ROW_CHARS)
    throw new Error(`a row is longer than ${MAX_ROW_CHARS} characters`);
}

function leaveRow(rows: RowsRead, after: number): number {
  rows.place = 'after a row';
  if (rows.isKept) rows.keep(rows.kept);
  rows.kept = '';
  return after;
}

/** A text, or a number that is no name of a field. */
const TEXT_OR_NUMBER =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

/** Parses a row. Its numbers become strings of their digits. */
export function parseRow(row: string): Record<string, unknown> {
  return JSON.parse(
    row.replaceAll(TEXT_OR_NUMBER, (value) => (value.startsWith('"') ? value : `"${value}"`)),
  );
}
