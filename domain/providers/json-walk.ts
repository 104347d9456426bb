import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { beginRows, parseRow, type RowsRead, readRows } from './json-rows.ts';

/** A value. Numbers are strings of their digits: ids have 64 bits and amounts have decimals. */
export type Scalar = string | boolean | null;
export type Scalars = Record<string, Scalar>;

/** What to keep of a JSON object of any length. Everything else is skipped and takes no memory. */
export interface Wanted {
  /** The path of an array of objects, the rows: `data.transactions`. */
  list: string;
  /** The fields of a row to keep. */
  fields: readonly string[];
  /** The paths of values beside the list to keep: `data.id`. */
  beside: readonly string[];
  /** How many rows to skip first. */
  skip: number;
  /** How many rows to keep at most. */
  most: number;
}

export interface Picked {
  /** Undefined until the list begins. */
  rows: Scalars[] | undefined;
  beside: Scalars;
  /** There is a row after the last one kept; nothing from there on was read. */
  hasMore: boolean;
  /** The object was read to its end. */
  isWhole: boolean;
}

/** A longer value of a wanted field is an error, so a row is bounded too. */
const MAX_TEXT_CHARS = 10_000;

/** Deeper nesting is an error: the parser keeps every level in memory. */
const MAX_DEPTH = 64;

/**
 * Reads JSON piece by piece. `read` takes the next piece and throws where it is no JSON or not in
 * the wanted shape. The filters and streamers of stream-json bound neither the length of a value
 * nor the depth, so only its parser is used, and only beside the list: most of a long answer are
 * rows, which it would take many times as long for.
 */
export function walkJson(wanted: Wanted): { picked: Picked; read(text: string): void } {
  const walk = begin(wanted);
  return {
    picked: walk.picked,
    read(text) {
      for (let at = 0; at < text.length && !walk.picked.hasMore; )
        at = walk.rows ? readList(walk, walk.rows, text, at) : readBeside(walk, text, at);
    },
  };
}

interface Walk {
  wanted: Wanted;
  picked: Picked;
  parse: ReturnType<typeof jsonParser>;
  /** The rows being read, while the position is in the list. */
  rows: RowsRead | undefined;
  /** The paths of kept values, and of every object on the way to them. */
  kept: ReadonlySet<string>;
  open: ReadonlySet<string>;
  /** The paths of the objects and the list around the current position. */
  trail: string[];
  /** How many levels deep the position is in a skipped value. */
  skippedDepth: number;
  key: string;
  text: string;
  /** How many rows have begun. */
  rowCount: number;
}

function begin(wanted: Wanted): Walk {
  const waysTo = (path: string) =>
    path.split('.').map((_name, index, names) => names.slice(0, index).join('.'));
  return {
    wanted,
    picked: { rows: undefined, beside: {}, hasMore: false, isWhole: false },
    parse: jsonParser({ packValues: false }),
    rows: undefined,
    kept: new Set(wanted.beside),
    open: new Set([wanted.list, ...wanted.beside].flatMap(waysTo)),
    ...{ trail: [], skippedDepth: 0, key: '', text: '', rowCount: 0 },
  };
}

/** Parses up to the next `[`, with which the list may begin. Returns the position after it. */
function readBeside(walk: Walk, text: string, from: number): number {
  const after = text.indexOf('[', from) + 1 || text.length;
  const parsed = walk.parse(text.slice(from, after));
  if (typeof parsed === 'symbol') return after;
  for (const token of parsed.values) {
    if (walk.skippedDepth > 0) skipToken(walk, token);
    else step(walk, token);
  }
  return after;
}

/** The parser finds the list empty. */
function readList(walk: Walk, rows: RowsRead, text: string, from: number): number {
  const end = readRows(rows, text, from) ?? text.length;
  if (text[end] === ']') walk.rows = undefined;
  return end;
}

function step(walk: Walk, token: Token): void {
  switch (token.name) {
    case 'startObject':
      enterObject(walk);
      break;
    case 'startArray':
      enterArray(walk);
      break;
    case 'endObject':
    case 'endArray':
      walk.trail.pop();
      walk.picked.isWhole = walk.trail.length === 0;
      break;
    case 'startKey':
    case 'startString':
    case 'startNumber':
      walk.text = '';
      break;
    case 'stringChunk':
    case 'numberChunk':
      if (walk.text.length <= MAX_TEXT_CHARS) walk.text += token.value;
      break;
    case 'endKey':
      walk.key = walk.text.includes('.') ? '' : walk.text; // a name with a dot is no path
      break;
    case 'endString':
    case 'endNumber':
      keep(walk, walk.text);
      break;
    case 'nullValue':
    case 'trueValue':
    case 'falseValue':
      keep(walk, token.value);
      break;
  }
}

/** The path of the next value. */
function pathOf({ trail, key }: Walk): string {
  const within = trail.at(-1);
  if (within === undefined) return '';
  return within === '' ? key : `${within}.${key}`;
}

function enterObject(walk: Walk): void {
  const path = pathOf(walk);
  if (walk.open.has(path)) walk.trail.push(path);
  else skip(walk);
}

function enterArray(walk: Walk): void {
  const path = pathOf(walk);
  if (path !== walk.wanted.list) {
    skip(walk);
    return;
  }
  if (walk.picked.rows) throw new Error(`the answer holds two lists at ${path}`);
  walk.picked.rows = [];
  walk.trail.push(path);
  walk.rows = beginRows({ begin: () => beginRow(walk), keep: (row) => keepRow(walk, row) });
}

function beginRow(walk: Walk): 'keep' | 'skip' | 'stop' {
  const { skip: skipped, most } = walk.wanted;
  const place = walk.rowCount++ - skipped;
  walk.picked.hasMore = place >= most;
  if (walk.picked.hasMore) return 'stop';
  return place < 0 ? 'skip' : 'keep';
}

/** Lists and objects in a row are never wanted. */
function keepRow({ wanted: { list, fields }, picked }: Walk, text: string): void {
  const row = parseRow(text);
  const kept: Scalars = {};
  for (const field of fields) {
    const value = Object.hasOwn(row, field) ? row[field] : undefined;
    if (isScalar(value)) kept[field] = bounded(value, `${list}.*.${field}`);
  }
  picked.rows!.push(kept);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function skip(walk: Walk): void {
  if (++walk.skippedDepth > MAX_DEPTH)
    throw new Error(`the answer nests deeper than ${MAX_DEPTH} levels`);
}

/** Of a skipped value only the end matters. */
function skipToken(walk: Walk, { name }: Token): void {
  if (name === 'startObject' || name === 'startArray') skip(walk);
  else if (name === 'endObject' || name === 'endArray') walk.skippedDepth--;
}

function keep(walk: Walk, value: Scalar): void {
  const path = pathOf(walk);
  if (walk.kept.has(path)) walk.picked.beside[path] = copyOf(bounded(value, path));
}

function bounded(value: Scalar, path: string): Scalar {
  if (typeof value === 'string' && value.length > MAX_TEXT_CHARS)
    throw new Error(`${path} is longer than ${MAX_TEXT_CHARS} characters`);
  return value;
}

/** A substring would keep the whole piece it came in in memory. */
function copyOf(value: Scalar): Scalar {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
