import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { invalid } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Caller } from '../middleware/authenticate.ts';
import { type ApiRequest, type Described, filledIn, type Route, route } from './route.ts';
import { query, text } from './schema.ts';

export const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

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
    text(200, { format: 'cursor', description: '`next_cursor` of the page before.' }),
  ),
};

export const listQuery = <Filters extends TProperties>(filters: Filters) =>
  query({ ...pageFields, ...filters });

export const pageQuery = query(pageFields);

type PageQuery = Static<typeof pageQuery>;

/** At most `limit`, with ids that sort before `before`. */
export type Page = { before: string; limit: number };

/** Sorts after every id. */
export const BEYOND_EVERY_ID = '~';

/** Throws `validation_failed` for a cursor that is not of this list of this caller. */
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

type ListRoute<Query extends TSchema, Answer extends TSchema> = Described & {
  query: Query;
  answer: Answer;
  list: (
    call: ApiRequest<unknown, Static<Query>>,
    caller: Caller,
    page: Page,
  ) => Promise<(ItemOf<Static<Answer>> & { id: string })[]>;
};

type ItemOf<List> = List extends { data: (infer Item)[] } ? Item : never;

/** Lists newest first. `list` is asked for one more than is shown: is there a next page? */
export function listRoute<Query extends TSchema, Answer extends TSchema>({
  answer,
  list,
  ...described
}: ListRoute<Query, Answer>): Route {
  return route({
    ...described,
    method: 'get',
    answers: { 200: answer },
    async handle(call) {
      const caller = await call.caller();
      const name = filledIn(described.path, call.params).slice(1);
      const { before, limit } = pageOf(caller, name, call.query as PageQuery);
      const found = await list(call, caller, { before, limit: limit + 1 });
      const data = found.slice(0, limit);
      const next_cursor =
        found.length > limit ? cursorOf(caller, name, data.at(-1)!.id) : undefined;
      const body = { data, next_cursor, tenant_id: caller.tenantId };
      return { status: 200, body: body as Static<Answer> & object };
    },
  });
}

/** The last position shown, and a mark that ties it to this list of this tenant and mode. */
export function cursorOf(caller: Reader, list: string, position: string): string {
  return Buffer.from(`${position} ${markOf(caller, list, position)}`).toString('base64url');
}

/** Throws `validation_failed` for a cursor of another list. */
export function readCursor(caller: Reader, list: string, cursor: string, field = 'cursor'): string {
  const [position = '', mark, ...rest] = Buffer.from(cursor, 'base64url')
    .toString('utf8')
    .split(' ');
  if (rest.length === 0 && mark === markOf(caller, list, position)) return position;
  throw invalid({ [field]: `must be the next_cursor of an earlier page of this list` });
}

/** Prevents mix-ups, not forgery: a position shows nobody more than their own list. */
function markOf({ tenantId, mode }: Reader, list: string, position: string): string {
  return sha256Of(`${tenantId} ${mode} ${list} ${position}`).slice(0, 12);
}
