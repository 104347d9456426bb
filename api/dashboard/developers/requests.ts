import { findRequest, listRequests } from '../../../domain/accounts/request-log/store.ts';
import { csvHref, listedRows } from '../lists.ts';
import { type DashboardRequest, view } from '../request.ts';

export const onlyRefused = ({ only }: DashboardRequest['query']) => only === 'errors';

export const requestsView = view('developers', {
  path: '/developers/requests',
  title: 'Request log',
  template: 'developers/requests',
  async load(request) {
    const { context, session, query } = request;
    const isRefused = onlyRefused(query);
    const filter = isRefused ? { only: 'errors' } : {};
    const { rows, ...pages } = await listedRows(
      request,
      `request log ${isRefused}`,
      (page) => context.read((db) => listRequests(db, session, { isRefused, ...page })),
      filter,
    );
    return { requests: rows, isRefused, ...pages, csvHref: csvHref(request, filter) };
  },
});

export const requestView = view('developers', {
  path: '/developers/requests/:id',
  title: 'Request',
  template: 'developers/request',
  async load({ context, session, params: { id = '' } }) {
    return { one: await context.read((db) => findRequest(db, session, id)) };
  },
});
