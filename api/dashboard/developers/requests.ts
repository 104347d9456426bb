import { findRequest, listRequests } from '../../../domain/accounts/request-log/store.ts';
import { listedRows } from '../lists.ts';
import { view } from '../request.ts';

export const requestsView = view('developers', {
  path: '/developers/requests',
  title: 'Request log',
  template: 'developers/requests',
  async load(request) {
    const { context, session, query } = request;
    const isRefused = query.only === 'errors';
    const { rows, ...pages } = await listedRows(
      request,
      `request log ${isRefused}`,
      (page) => context.read((db) => listRequests(db, session, { isRefused, ...page })),
      isRefused ? { only: 'errors' } : {},
    );
    return { requests: rows, isRefused, ...pages };
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
