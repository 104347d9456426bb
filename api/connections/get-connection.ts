import { findOwnConnection } from '../../domain/accounts/connection/connections.ts';
import { readRoute } from '../http/route.ts';
import { connection, connectionView } from './schemas.ts';

export const getConnection = readRoute({
  path: '/connections/:id',
  operationId: 'getConnection',
  summary: 'Read a connection',
  credential: 'manage connections',
  answer: connection,
  read: async (context, caller, id) =>
    connectionView(context, await findOwnConnection(context.db, caller, id)),
});
