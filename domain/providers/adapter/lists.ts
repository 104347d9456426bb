import { DAY_MS } from '../../shared/units.ts';
import type { Page, PastPage, UnreadRow } from '../port/settlement.ts';
import { clearOr, type Row, UnclearError } from './read.ts';

export interface List {
  firstPage: 0 | 1;
  mostPages: number;
  /** Undefined: the page does not say. */
  read(page: number): Promise<{ rows: Row[]; hasMore: boolean | undefined }>;
  keyOf(row: Row): unknown;
}

export interface Listing {
  path: string;
  query: Record<string, string>;
  /** Each row is looked at by itself: it needs no id. */
  isTolerant?: boolean;
}

/**
 * Each row once: new rows push others onto the next page. Without stated pages it ends where
 * nothing new comes. Throws where it cannot be read whole.
 */
export async function readWhole(
  list: List,
  isLast: (rows: readonly Row[]) => boolean = () => false,
): Promise<Row[]> {
  const found = new Map<string, Row>();
  for (let read = 0; read < list.mostPages; read++) {
    const before = found.size;
    const page = list.firstPage + read;
    const { rows, hasMore } = await list.read(page);
    for (const row of rows) found.set(markOf(list, row), row);
    const bringsNothing = found.size === before;
    if (isLast(rows) || hasMore === false || (hasMore === undefined && bringsNothing))
      return [...found.values()];
    if (bringsNothing) throw nothingNew(page);
  }
  throw new UnclearError(`the list has more than ${list.mostPages} pages`);
}

function nothingNew(page: number): UnclearError {
  return new UnclearError(`page ${page} holds nothing new, and more are stated`);
}

function markOf({ keyOf }: List, row: Row): string {
  return String(keyOf(row) ?? JSON.stringify(row));
}

const MARK_LENGTH = 200;

/**
 * The cursor holds the next page and this one's first row: without stated pages, the list ends with
 * a page that is empty or begins as the one before.
 */
export async function readPageAt<Found>(
  list: List,
  cursor: string | null,
  read: (rows: Row[]) => Found[],
): Promise<Page<Found>> {
  const { page, previousFirst } = positionAt(cursor, list.firstPage);
  const { rows, hasMore } = await list.read(page);
  const first = rows[0] && markOf(list, rows[0]).slice(0, MARK_LENGTH);
  const bringsNothing = first === undefined || first === previousFirst;
  if (bringsNothing && hasMore === true) throw nothingNew(page);
  const isLast = bringsNothing || hasMore === false;
  return { rows: read(rows), next: isLast ? null : `${page + 1}:${first}` };
}

/** As `readPageAt`, row by row: what of one is not clear is said of it. */
export async function readPastAt<Found>(
  list: List,
  cursor: string | null,
  read: (row: Row) => Found[],
): Promise<PastPage<Found>> {
  const { page } = positionAt(cursor, list.firstPage);
  const unread: UnreadRow[] = [];
  const readRow = (row: Row, index: number) =>
    clearOr(
      () => read(row),
      (why) => {
        const name = list.keyOf(row) ?? `without an id, row ${index + 1} of page ${page}`;
        unread.push({ name: String(name), why });
        return [];
      },
    );
  return { ...(await readPageAt(list, cursor, (rows) => rows.flatMap(readRow))), unread };
}

function positionAt(cursor: string | null, firstPage: 0 | 1) {
  if (cursor === null) return { page: firstPage, previousFirst: undefined };
  const [, page, previousFirst] = /^([1-9]\d{0,5}):(.+)$/s.exec(cursor) ?? [];
  if (page === undefined) throw new UnclearError('the cursor is not one of ours');
  return { page: Number(page), previousFirst };
}

/** Clocks and zones differ. */
const SLACK_MS = DAY_MS;

/** True once all later rows are older: only while the newest come first does a row say so. */
export function endsBefore(time: Date, createdAt: (row: Row) => Date | null) {
  let lastMs = Number.POSITIVE_INFINITY;
  let isNewestFirst = true;
  return (rows: readonly Row[]): boolean => {
    for (const row of rows) {
      const createdMs = createdAt(row)?.getTime() ?? lastMs;
      isNewestFirst &&= createdMs <= lastMs;
      lastMs = createdMs;
    }
    return isNewestFirst && lastMs < time.getTime() - SLACK_MS;
  };
}
