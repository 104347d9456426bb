import { jsonParser, type Token } from 'stream-json/core/parser.js';

/** A value as it stands in the text: numbers are their digits, because ids may have 64 bits and amounts decimals. */
export type Scalar = string | boolean | null;
export type Scalars = Record<string, Scalar>;

/** What is picked out of a JSON object of any length. Everything else is read past, and never held. */
export interface Wanted {
  /** The path of an array of objects, its rows: `data.transactions`. */
  list: string;
  /** The fields of a row that are kept. */
  fields: readonly string[];
  /** The paths of values beside the list that are kept: `data.id`. */
  beside: readonly string[];
  /** How many rows are passed over first. */
  skip: number;
  /** The most rows that are kept. */
  most: number;
}

export interface Picked {
  /** Undefined while no array was met where the list should be. */
  rows: Scalars[] | undefined;
  beside: Scalars;
  /** There is a row after the last one kept. Nothing behind it was looked at. */
  hasMore: boolean;
  /** The object was read to its end. */
  isWhole: boolean;
}

/** Longer texts than this are in no field anybody wants; one that is ends the reading. With it, a row has its bound too. */
const MOST_TEXT = 10_000;

/** Nothing nests deeper; the parser would hold what does. */
const MOST_DEPTH = 64;

/**
 * Picks out of JSON that comes in pieces, holding a piece at a time. `read` takes the next piece and throws where it is no JSON, or not
 * in the wanted shape.
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
        if (walk.strayed > 0) strayOn(walk, token);
        else step(walk, token);
      }
    },
  };
}

interface Walk {
  wanted: Wanted;
  picked: Picked;
  rowPath: string;
  /** The paths of what is kept, and of every object on the way there. */
  kept: ReadonlySet<string>;
  open: ReadonlySet<string>;
  /** The paths of the objects, and the list, that the walk stands in. */
  trail: string[];
  /** How many levels deep it stands in something nobody wants. */
  strayed: number;
  key: string;
  text: string;
  /** How many rows were met, and the last of them. */
  met: number;
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
  const here = { trail: [], strayed: 0, key: '', text: '', met: 0, row: {} };
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
      if (walk.text.length <= MOST_TEXT) walk.text += token.value;
      break;
    case 'endKey':
      walk.key = walk.text.includes('.') ? '' : walk.text; // a name with a point in it is no path
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

/** The path of the value that comes next. */
function pathOf({ trail, wanted, rowPath, key }: Walk): string {
  const within = trail.at(-1);
  if (within === undefined) return '';
  if (within === wanted.list) return rowPath;
  return within === '' ? key : `${within}.${key}`;
}

function enterObject(walk: Walk): void {
  const path = pathOf(walk);
  if (walk.open.has(path) && (path !== walk.rowPath || beginsRow(walk))) walk.trail.push(path);
  else stray(walk);
}

function enterArray(walk: Walk): void {
  const path = pathOf(walk);
  if (path === walk.rowPath) throw oddRow();
  if (path === walk.wanted.list) {
    if (walk.picked.rows) throw new Error(`the answer holds two lists at ${path}`);
    walk.picked.rows = [];
    walk.trail.push(path);
  } else {
    stray(walk);
  }
}

function stray(walk: Walk): void {
  if (++walk.strayed > MOST_DEPTH)
    throw new Error(`the answer nests deeper than ${MOST_DEPTH} levels`);
}

/** Of what nobody wants, only the end matters. */
function strayOn(walk: Walk, { name }: Token): void {
  if (name === 'startObject' || name === 'startArray') stray(walk);
  else if (name === 'endObject' || name === 'endArray') walk.strayed--;
}

/** False for a row that is passed over, or one too many. */
function beginsRow(walk: Walk): boolean {
  const { skip, most } = walk.wanted;
  const place = walk.met++ - skip;
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
  if (typeof value === 'string' && value.length > MOST_TEXT)
    throw new Error(`${path} is longer than ${MOST_TEXT} characters`);
  const kept = typeof value === 'string' ? copyOf(value) : value;
  if (walk.trail.at(-1) === walk.rowPath) walk.row[walk.key] = kept;
  else walk.picked.beside[path] = kept;
}

/** A text that is part of a longer one keeps all of it in memory: here, the piece it came in. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function oddRow(): Error {
  return new Error('the list holds something that is no row');
}
