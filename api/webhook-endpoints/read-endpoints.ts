import { isId } from '../../domain/shared/ids.ts';
import {
  findEndpoint,
  listEndpoints,
  noSuchEndpoint,
} from '../../domain/webhooks/endpoint/endpoint.ts';
import { listReply, type PageQuery, pageOf, pageQuery } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { input } from '../http/schema.ts';
import { endpoint, endpoints, endpointView } from './schemas.ts';

const LIST = 'webhook-endpoints';

export const listOfWebhookEndpoints: Route<never, PageQuery> = {
  method: 'get',
  path: '/webhook-endpoints',
  summary: 'List the webhook endpoints of your mode, newest first',
  may: 'develop',
  query: input([], pageQuery),
  answers: { 200: endpoints },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await listEndpoints(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, (row) => endpointView(row, context.clock()));
  },
};

export const readWebhookEndpoint: Route = {
  method: 'get',
  path: '/webhook-endpoints/:id',
  summary: 'Read a webhook endpoint: whether it fails, what it missed, how much still waits for it',
  may: 'develop',
  answers: { 200: endpoint },
  async handle({ context, caller, params }) {
    const row = await findEndpoint(context.db, await caller(), endpointId(params));
    return { status: 200, body: endpointView(row, context.clock()) };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function endpointId({ id = '' }: Record<string, string>): string {
  if (!isId('whe', id)) throw noSuchEndpoint();
  return id;
}
