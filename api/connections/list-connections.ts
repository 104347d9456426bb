import { listConnections as selectConnections } from '../../domain/accounts/connection/connections.ts';
import { listReply, pageOf, pageQuery } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { connections, connectionView } from './schemas.ts';

const LIST = 'connections';

export const listConnections = route({
  method: 'get',
  path: '/connections',
  operationId: 'listConnections',
  summary: 'List the connections of your mode, disabled ones too, newest first',
  credential: 'manage connections',
  query: pageQuery,
  answers: { 200: connections },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const rows = await selectConnections(context.db, who, page.before, page.limit + 1);
    return listReply(who, LIST, page, rows, (row) => connectionView(context, row));
  },
});
