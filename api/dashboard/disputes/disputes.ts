import { listDisputes } from '../../../domain/payments/dispute/list.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { pageOfRows } from '../pages.ts';
import type { View } from '../request.ts';

/** Payments that payers' banks ask back. */
export const disputesView: View = {
  path: '/disputes',
  title: 'Disputes',
  template: 'disputes/disputes',
  section: 'disputes',
  permission: 'read',
  async load(request) {
    const { context, session, mode } = request;
    const reader = { tenantId: session.tenantId, mode };
    const { rows, nextHref } = await pageOfRows(
      request,
      { list: 'disputes', path: '/disputes' },
      (page) => context.read((db) => listDisputes(db, reader, page)),
    );
    return {
      disputes: rows.map((row) => ({ ...row, reference: referenceOf(row.number) })),
      nextHref,
    };
  },
};
