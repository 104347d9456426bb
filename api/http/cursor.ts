import Type, { type Static, type TProperties } from 'typebox';
import { invalid } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Reply } from './route.ts';
import { query, text } from './schema.ts';

export const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** The query fields of every list. */
const pageFields = {
  limit: Type.Optional(
    Type.Integer({
      description: 'Most objects on one page.',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
  ),
  cursor: Type.Optional(
    text(200, { format: 'printable', description: '`next_cursor` of the page before.' }),
  ),
};

/** The query of a list with these filters. */
export const listQuery = <Filters extends TProperties>(filters: Filters) =>
  query({ ...pageFields, ...filters });

/** The query of a list without filters. */
export const pageQuery = query(pageFields);

type PageQuery = Static<typeof pageQuery>;

/** Which rows of a list are asked for. */
export interface Page {
  /** Rows shown; one more is read, to know whether there is a next page. */
  limit: number;
  /** Only rows whose id sorts before this one. */
  before: string;
}

/** Sorts after every id. */
const BEYOND_EVERY_ID = '~';

/**
 * Reads `limit` and `cursor`. Throws `validation_failed` for a cursor that is not of this list of
 * this caller.
 */
export function pageOf(
  caller: Reader,
  list: string,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): Page {
  return {
    limit,
    before: cursor === undefined ? BEYOND_EVERY_ID : readCursor(caller, list, cursor),
  };
}

/** The answer of a list, newest first. `rows` holds up to one more than the page's limit. */
export function listReply<Row extends { id: string }, View extends object>(
  caller: Reader,
  list: string,
  { limit }: Page,
  rows: readonly Row[],
  view: (row: Row) => View,
): Reply<{ data: View[]; next_cursor?: string; tenant_id: string }> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? { next_cursor: cursorOf(caller, list, last.id) } : {};
  return { status: 200, body: { data: shown.map(view), ...next, tenant_id: caller.tenantId } };
}

/**
 * A keyset cursor: the last position shown, and a mark that ties it to this list of this tenant and
 * mode.
 */
export function cursorOf(caller: Reader, list: string, position: string): string {
  return Buffer.from(`${position} ${markOf(caller, list, position)}`).toString('base64url');
}

/** The position in a cursor. Throws `validation_failed` for one of another list. */
export function readCursor(caller: Reader, list: string, cursor: string, field = 'cursor'): string {
  const [position = '', mark, ...rest] = Buffer.from(cursor, 'base64url')
    .toString('utf8')
    .split(' ');
  if (rest.length === 0 && mark === markOf(caller, list, position)) return position;
  throw invalid({ [field]: `must be the next_cursor of an earlier page of this list` });
}

/**
 * The mark prevents mix-ups, not forgery: a position shows nobody more than their own list.
 */
function markOf({ tenantId, mode }: Reader, list: string, position: string): string {
  return sha256Of(`${tenantId} ${mode} ${list} ${position}`).slice(0, 12);
}
