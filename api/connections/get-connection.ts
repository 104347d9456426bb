import type { Context } from '../../config/context.ts';
import type { ConnectionRow } from '../../domain/accounts/connection/connection.ts';
import {
  findOwnConnection,
  noSuchConnection,
} from '../../domain/accounts/connection/connections.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { connection, connectionView } from './schemas.ts';

export const getConnection = route({
  method: 'get',
  path: '/connections/:id',
  operationId: 'getConnection',
  summary: 'Read a connection',
  credential: 'manage connections',
  answers: { 200: connection },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: connectionView(context, await connectionOf(context, await caller(), params)),
    };
  },
});

/** The connection in the path. Throws 404 when there is none. */
export async function connectionOf(
  { db }: Context,
  reader: Reader,
  params: Record<string, string>,
): Promise<ConnectionRow> {
  const row = await findOwnConnection(db, reader, pathId(params, 'con', noSuchConnection));
  if (!row) throw noSuchConnection();
  return row;
}
