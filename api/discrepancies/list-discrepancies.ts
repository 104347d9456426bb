import type { Static } from 'typebox';
import { listDiscrepancies as selectDiscrepancies } from '../../domain/settlements/discrepancy/list.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { listRoute } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { discrepancies, discrepanciesQuery } from './schemas.ts';

export const listDiscrepancies = listRoute({
  path: '/discrepancies',
  operationId: 'listDiscrepancies',
  summary: 'List discrepancies, newest first; from and to are about the day they belong to',
  credential: 'read',
  query: discrepanciesQuery,
  answer: discrepancies,
  async list({ context, query }, caller, page) {
    const wanted = { ...page, ...wantedBy(query) };
    const rows = await context.read((db) => selectDiscrepancies(db, caller, wanted));
    return rows.map(discrepancyView);
  },
});

/** Throws `validation_failed` when `from` is after `to`. */
export function wantedBy(query: Static<typeof discrepanciesQuery>) {
  const { status, kind, provider: slot, settlement: settlementId } = query;
  return { status, kind, slot, settlementId, days: daysOf(query) };
}
