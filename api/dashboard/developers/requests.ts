import { listRequests } from '../../../domain/accounts/request-log/store.ts';
import { pageOfRows } from '../pages.ts';
import type { View } from '../request.ts';

/** Requests to the API in the last seven days. */
export const requestsView: View = {
  path: '/developers/requests',
  title: 'Request log',
  template: 'developers/requests',
  section: 'developers',
  permission: 'develop',
  async load(request) {
    const { context, session, mode, query } = request;
    const isRefused = query.only === 'errors';
    const path = '/developers/requests';
    const { rows, nextHref } = await pageOfRows(
      request,
      { list: `request log ${isRefused}`, path, filter: isRefused ? { only: 'errors' } : {} },
      (page) =>
        context.read((db) =>
          listRequests(db, { tenantId: session.tenantId, mode }, { isRefused, ...page }),
        ),
    );
    return { requests: rows, isRefused, nextHref };
  },
};
