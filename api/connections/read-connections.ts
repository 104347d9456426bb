import type { Context } from '../../config/context.ts';
import {
  type ConnectionRow,
  findOwnConnection,
  listConnections,
  noSuchConnection,
} from '../../domain/accounts/connection/connections.ts';
import { isId } from '../../domain/shared/ids.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { listReply, type PageQuery, pageOf, pageQuery } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { input } from '../http/schema.ts';
import { connection, connections, connectionView } from './schemas.ts';

const LIST = 'connections';

export const listOfConnections: Route<never, PageQuery> = {
  method: 'get',
  path: '/connections',
  summary: 'List the connections of your mode, disabled ones too, newest first',
  may: 'manage connections',
  query: input([], pageQuery),
  answers: { 200: connections },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await listConnections(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, (row) => connectionView(context, row));
  },
};

export const readConnection: Route = {
  method: 'get',
  path: '/connections/:id',
  summary: 'Read a connection',
  may: 'manage connections',
  answers: { 200: connection },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: connectionView(context, await connectionOf(context, await caller(), params)),
    };
  },
};

/** The connection named in the path. Throws 404 when there is none. */
export async function connectionOf(
  { db }: Context,
  reader: Reader,
  { id = '' }: Record<string, string>,
): Promise<ConnectionRow> {
  const row = isId('con', id) ? await findOwnConnection(db, reader, id) : undefined;
  if (!row) throw noSuchConnection();
  return row;
}
