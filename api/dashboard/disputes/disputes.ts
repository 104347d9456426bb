import { listDisputes } from '../../../domain/payments/dispute/list.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { csvHref, listedRows } from '../lists.ts';
import { view } from '../request.ts';

export const disputesView = view('disputes', {
  async load(request) {
    const { context, session } = request;
    const { rows, nextHref } = await listedRows(request, 'disputes', (page) =>
      context.read((db) => listDisputes(db, session, page)),
    );
    const disputes = rows.map((row) => ({ ...row, reference: referenceOf(row.number) }));
    return { disputes, nextHref, csvHref: csvHref(request, {}) };
  },
});
