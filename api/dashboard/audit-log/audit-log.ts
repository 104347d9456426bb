import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { listAuditEntries } from '../../../domain/accounts/audit-log/list-entries.ts';
import { csvHref, listedRows } from '../lists.ts';
import { view } from '../request.ts';

/** Entries of this mode and of what concerns both. */
export const auditLogView = view('audit-log', {
  async load(request) {
    const { context, session } = request;
    const { rows, ...pages } = await listedRows(request, 'audit log', (page) =>
      context.read((db) => listAuditEntries(db, session, page)),
    );
    const ids = rows.flatMap(({ actor, subject_id }) => [actor, subject_id]);
    const nameOf = await actorNames(context.db, session.tenantId, ids);
    return { entries: rows, ...pages, nameOf, csvHref: csvHref(request, {}) };
  },
});
