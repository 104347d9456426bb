import { listConnections as selectConnections } from '../../domain/accounts/connection/connections.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { connections, connectionView } from './schemas.ts';

export const listConnections = listRoute({
  path: '/connections',
  operationId: 'listConnections',
  summary: 'List the connections of your mode, disabled ones too, newest first',
  credential: 'manage connections',
  query: pageQuery,
  answer: connections,
  async list({ context }, caller, { before, limit }) {
    const rows = await selectConnections(context.db, caller, before, limit);
    return rows.map((row) => connectionView(context, row));
  },
});
