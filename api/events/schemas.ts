import { type PageQuery, pageQuery } from '../http/cursor.ts';
import { id, input, mode, object, string, time } from '../http/schema.ts';

/** `cursor` is what every list takes, and means the same as `after` here. */
export const eventsQuery = input([], { ...pageQuery, after: pageQuery.cursor });

export interface EventsQuery extends PageQuery {
  after?: string;
}

/** What a webhook delivers, and the feed shows. */
export const event = object('Event', {
  id: id('evt'),
  type: string,
  created_at: time,
  mode,
  tenant_id: id('ten'),
  data: { type: 'object' },
});

/** A page of the feed. It always says where to go on: a feed has no end. */
export const events = object('EventFeed', {
  data: { type: 'array', items: event },
  next_cursor: string,
  tenant_id: id('ten'),
});
