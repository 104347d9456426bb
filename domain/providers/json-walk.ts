import { jsonParser, type Token } from 'stream-json/core/parser.js';

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
 * nor the depth, so only its parser is used.
 */
export function walkJson(wanted: Wanted): { picked: Picked; read(text: string): void } {
  const walk = begin(wanted);
  const parse = jsonParser({ packValues: false });
  return {
    picked: walk.picked,
    read(text) {
      const parsed = parse(text);
      if (typeof parsed === 'symbol') return;
      for (const token of parsed.values) {
        if (walk.picked.hasMore) return;
        if (walk.skippedDepth > 0) skipToken(walk, token);
        else step(walk, token);
      }
    },
  };
}

interface Walk {
  wanted: Wanted;
  picked: Picked;
  rowPath: string;
  /** The paths of kept values, and of every object on the way to them. */
  kept: ReadonlySet<string>;
  open: ReadonlySet<string>;
  /** The paths of the objects and the list around the current position. */
  trail: string[];
  /** How many levels deep the position is in a skipped value. */
  skippedDepth: number;
  key: string;
  text: string;
  /** How many rows have begun, and the last of them. */
  rowCount: number;
  row: Scalars;
}

function begin(wanted: Wanted): Walk {
  const rowPath = `${wanted.list}.*`;
  const kept = [...wanted.beside, ...wanted.fields.map((field) => `${rowPath}.${field}`)];
  const waysTo = (path: string) =>
    path.split('.').map((_name, index, names) => names.slice(0, index).join('.'));
  const open = new Set([rowPath, ...kept].flatMap(waysTo));
  open.delete(wanted.list);
  const picked: Picked = { rows: undefined, beside: {}, hasMore: false, isWhole: false };
  const here = { trail: [], skippedDepth: 0, key: '', text: '', rowCount: 0, row: {} };
  return { wanted, picked, rowPath, kept: new Set(kept), open: open.add(rowPath), ...here };
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
      leave(walk);
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
function pathOf({ trail, wanted, rowPath, key }: Walk): string {
  const within = trail.at(-1);
  if (within === undefined) return '';
  if (within === wanted.list) return rowPath;
  return within === '' ? key : `${within}.${key}`;
}

function enterObject(walk: Walk): void {
  const path = pathOf(walk);
  if (walk.open.has(path) && (path !== walk.rowPath || beginsRow(walk))) walk.trail.push(path);
  else skip(walk);
}

function enterArray(walk: Walk): void {
  const path = pathOf(walk);
  if (path === walk.rowPath) throw oddRow();
  if (path === walk.wanted.list) {
    if (walk.picked.rows) throw new Error(`the answer holds two lists at ${path}`);
    walk.picked.rows = [];
    walk.trail.push(path);
  } else {
    skip(walk);
  }
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

/** False for a row to skip, or one too many. */
function beginsRow(walk: Walk): boolean {
  const { skip, most } = walk.wanted;
  const place = walk.rowCount++ - skip;
  walk.picked.hasMore = place >= most;
  walk.row = {};
  return place >= 0 && place < most;
}

function leave(walk: Walk): void {
  if (walk.trail.pop() === walk.rowPath) walk.picked.rows!.push(walk.row);
  walk.picked.isWhole = walk.trail.length === 0;
}

function keep(walk: Walk, value: Scalar): void {
  const path = pathOf(walk);
  if (path === walk.rowPath) throw oddRow();
  if (!walk.kept.has(path)) return;
  if (typeof value === 'string' && value.length > MAX_TEXT_CHARS)
    throw new Error(`${path} is longer than ${MAX_TEXT_CHARS} characters`);
  const kept = typeof value === 'string' ? copyOf(value) : value;
  if (walk.trail.at(-1) === walk.rowPath) walk.row[walk.key] = kept;
  else walk.picked.beside[path] = kept;
}

/** A substring would keep the whole piece it came in in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function oddRow(): Error {
  return new Error('the list holds something that is no row');
}
