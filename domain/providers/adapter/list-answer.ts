import { exchange, type ProviderAnswer, type ProviderRequest, readAnswer, textOf } from './http.ts';
import { isObject, parseJson } from './read.ts';

export interface Wanted {
  list: string;
  /** The fields of a row to keep, where they are no lists or objects. Numbers are digits. */
  fields: readonly string[];
  skip: number;
  most: number;
}

export interface ListAnswer extends ProviderAnswer {
  /** Undefined: no such list, as in a refusal. */
  rows: Record<string, unknown>[] | undefined;
  hasMore: boolean;
}

/** Six times the largest expected settlement, of 100,000 payments. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/**
 * Keeps the wanted part. Throws as `callProvider`, and `unknown` where the list breaks off or is
 * too long: a part never passes for the whole.
 */
export function callForList(
  request: Omit<ProviderRequest, 'method' | 'body'>,
  wanted: Wanted,
  maxBytes = MAX_LIST_BYTES,
): Promise<ListAnswer> {
  const { stage } = request;
  return exchange({ ...request, method: 'GET' }, async (response) => {
    const { status } = response;
    if (status < 200 || status > 299)
      return { ...(await readAnswer(response, stage)), rows: undefined, hasMore: false };
    const scan = beginScan(wanted);
    for await (const text of textOf(response, maxBytes)) {
      scanText(scan, text);
      if (scan.hasMore) break; // closes the connection
    }
    return { stage, status, raw: '', retryAfterMs: null, ...resultOf(scan) };
  });
}

/** More would fill the memory. */
const MAX_PART_CHARS = 5_000_000;

const MAX_VALUE_CHARS = 10_000;

const MAX_DEPTH = 64;

const MAX_NAME_CHARS = 100;

export interface Scan {
  wanted: Wanted;
  path: string[];
  rows: Record<string, unknown>[] | undefined;
  hasMore: boolean;
  place: 'beside' | 'first' | 'in a row' | 'after a row' | 'after a comma';
  /** For each open level. */
  closers: number[];
  names: string[];
  isText: boolean;
  isEscaped: boolean;
  /** It may be a name. */
  text: string;
  beside: string;
  row: string;
  rowCount: number;
}

export function beginScan(wanted: Wanted): Scan {
  return {
    ...{ wanted, path: wanted.list.split('.'), rows: undefined, hasMore: false, place: 'beside' },
    ...{ closers: [], names: [], isText: false, isEscaped: false, text: '' },
    ...{ beside: '', row: '', rowCount: 0 },
  };
}

/** Only quotes, brackets and names are looked at; what is kept is parsed as a whole. */
export function scanText(scan: Scan, text: string): void {
  for (let at = 0; at < text.length && !scan.hasMore; ) {
    if (scan.place === 'beside') at = scanBeside(scan, text, at);
    else if (scan.place === 'in a row') at = scanRow(scan, text, at);
    else at = scanBetweenRows(scan, text, at);
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPENS_LIST, CLOSES_LIST, OPENS_OBJECT, CLOSES_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function scanBeside(scan: Scan, text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const wasText = scan.isText;
    follow(scan, char);
    if (scan.isText) {
      if (!wasText) scan.text = '';
      else if (scan.text.length < MAX_NAME_CHARS) scan.text += text[at];
    } else if (!wasText && char === COLON) {
      scan.names[scan.closers.length - 1] = scan.text;
    } else if (!wasText && char === OPENS_LIST && isAtList(scan)) {
      if (scan.rows) throw new Error('the answer holds the list twice');
      scan.rows = [];
      scan.place = 'first';
      scan.beside = part(scan.beside, text.slice(from, at + 1));
      return at + 1;
    }
  }
  scan.beside = part(scan.beside, text.slice(from));
  return text.length;
}

function isAtList({ closers, names, path }: Scan): boolean {
  return (
    closers.length === path.length + 1 &&
    path.every((name, level) => closers[level] === CLOSES_OBJECT && names[level] === name)
  );
}

function scanBetweenRows(scan: Scan, text: string, at: number): number {
  const char = text.charCodeAt(at);
  if (char === OPENS_OBJECT && scan.place !== 'after a row') {
    scan.hasMore = scan.rowCount >= scan.wanted.skip + scan.wanted.most;
    scan.place = 'in a row';
    return at;
  }
  if (char === CLOSES_LIST && scan.place !== 'after a comma') {
    scan.place = 'beside';
    return at;
  }
  if (char === COMMA && scan.place === 'after a row') scan.place = 'after a comma';
  else if (!/[ \n\r\t]/.test(text[at]!)) throw new Error('the list holds something that is no row');
  return at + 1;
}

function scanRow(scan: Scan, text: string, from: number): number {
  const isKept = scan.rowCount >= scan.wanted.skip;
  const keepTo = (end: number) => {
    if (isKept) scan.row = part(scan.row, text.slice(from, end));
  };
  const listDepth = scan.path.length + 1;
  for (let at = from; at < text.length; at++) {
    const isClosed = follow(scan, text.charCodeAt(at));
    if (!isClosed || scan.closers.length > listDepth) continue;
    keepTo(at + 1);
    if (isKept) scan.rows!.push(fieldsOf(scan.row, scan.wanted.fields));
    scan.row = '';
    scan.rowCount++;
    scan.place = 'after a row';
    return at + 1;
  }
  keepTo(text.length);
  return text.length;
}

/** True where a level closes. */
function follow(scan: Scan, char: number): boolean {
  if (scan.isText) {
    if (scan.isEscaped) scan.isEscaped = false;
    else if (char === BACKSLASH) scan.isEscaped = true;
    else if (char === QUOTE) scan.isText = false;
  } else if (char === QUOTE) {
    scan.isText = true;
  } else if (char === OPENS_OBJECT || char === OPENS_LIST) {
    if (scan.closers.push(char === OPENS_LIST ? CLOSES_LIST : CLOSES_OBJECT) > MAX_DEPTH)
      throw new Error(`the answer nests deeper than ${MAX_DEPTH} levels`);
  } else if (char === CLOSES_OBJECT || char === CLOSES_LIST) {
    if (scan.closers.pop() !== char) throw new Error('the answer has brackets that do not match');
    return true;
  }
  return false;
}

function part(before: string, more: string): string {
  if (before.length + more.length > MAX_PART_CHARS)
    throw new Error(`a part of the answer is longer than ${MAX_PART_CHARS} characters`);
  return before + more;
}

const TEXT_OR_NUMBER =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

/** Three times as fast as a reviver. */
function fieldsOf(row: string, fields: readonly string[]): Record<string, unknown> {
  const digits = row.replaceAll(TEXT_OR_NUMBER, (value) =>
    value.startsWith('"') ? value : `"${value}"`,
  );
  const whole: Record<string, unknown> = JSON.parse(digits);
  const stated = fields.filter((field) => Object.hasOwn(whole, field));
  const kept = stated.map((field) => [field, whole[field]] as const);
  for (const [field, value] of kept)
    if (typeof value === 'string' && value.length > MAX_VALUE_CHARS)
      throw new Error(`${field} is longer than ${MAX_VALUE_CHARS} characters`);
  return Object.fromEntries(
    kept.filter(([, value]) => typeof value !== 'object' || value === null),
  );
}

export function resultOf(scan: Scan): Pick<ListAnswer, 'json' | 'rows' | 'hasMore'> {
  const { beside, closers, rows, hasMore } = scan;
  const rest = hasMore ? String.fromCharCode(...closers.toReversed()) : '';
  return { json: wholeObject(beside + rest), rows, hasMore };
}

function wholeObject(text: string): Record<string, unknown> {
  try {
    const json = parseJson(text);
    if (isObject(json)) return json;
  } catch {}
  throw new Error('the answer is not a whole JSON object');
}
