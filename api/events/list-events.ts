import type { Context } from '../../config/context.ts';
import { isId } from '../../domain/shared/ids.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { BEGINNING, findEnd, findPosition, readFeed } from '../../domain/webhooks/event/feed.ts';
import { cursorOf, DEFAULT_LIMIT, readCursor } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import type { Caller } from '../middleware/authenticate.ts';
import { type EventsQuery, events, eventsQuery } from './schemas.ts';

const LIST = 'events';

export const listEvents = route({
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  summary:
    'Read events, oldest first, as their webhooks deliver them; ' +
    'next_cursor is always there, for the next time',
  credential: 'read',
  query: eventsQuery,
  answers: { 200: events },
  async handle({ context, caller, query }) {
    const who = await caller();
    const after = await positionOf(context, who, query);
    const rows = await readFeed(context.db, who, after, query.limit ?? DEFAULT_LIMIT);
    const last = rows.at(-1) ?? after;
    const data = rows.map(({ body }) => JSON.parse(body));
    return {
      status: 200,
      body: {
        data,
        next_cursor: cursorOf(who, LIST, `${last.xact}.${last.id}`),
        tenant_id: who.tenantId,
      },
    };
  },
});

/** Throws `validation_failed` for a cursor or an event that is not of this feed. */
async function positionOf({ db }: Context, caller: Caller, { after, cursor }: EventsQuery) {
  if (after !== undefined && cursor !== undefined)
    throw invalid({ cursor: 'means the same as after: send one of them' });
  const [field, sent] = after === undefined ? ['cursor', cursor] : ['after', after];
  if (sent === undefined) return BEGINNING;
  if (field === 'after' && sent === 'now') return findEnd(db);
  if (field === 'after' && isId('evt', sent)) {
    const position = await findPosition(db, caller, sent);
    if (position) return position;
    throw invalid({ after: 'is no event of this mode' });
  }
  const [xact, id = ''] = readCursor(caller, LIST, sent, field).split('.');
  return { xact: Number(xact), id };
}
