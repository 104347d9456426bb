import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { listAuditEntries } from '../../../domain/accounts/audit-log/list-entries.ts';
import { pageOfRows } from '../pages.ts';
import type { View } from '../request.ts';

/** Who did what, in this mode and in what concerns both. */
export const auditLogView: View = {
  path: '/audit-log',
  title: 'Audit log',
  template: 'audit-log/audit-log',
  section: 'audit-log',
  permission: 'read',
  async load(request) {
    const { context, session, mode } = request;
    const reader = { tenantId: session.tenantId, mode };
    const { rows, nextHref } = await pageOfRows(
      request,
      { list: 'audit log', path: '/audit-log' },
      (page) => context.read((db) => listAuditEntries(db, reader, page)),
    );
    const ids = rows.flatMap(({ actor, subject_id }) => [actor, subject_id]);
    return { entries: rows, nextHref, nameOf: await actorNames(context.db, session.tenantId, ids) };
  },
};
