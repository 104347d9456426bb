import { type TimelineRow, timelineOf } from '../../domain/payments/charge/find.ts';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { cursorOf, DEFAULT_LIMIT, pageQuery, readCursor } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { chargeOf } from './get-charge.ts';
import { timeline } from './schemas.ts';

export const listChargeTimeline = route({
  method: 'get',
  path: '/charges/:reference/timeline',
  operationId: 'listChargeTimeline',
  summary: "Read a charge's history, oldest first",
  credential: 'read',
  query: pageQuery,
  answers: { 200: timeline },
  async handle({ context, caller, params, query: { limit = DEFAULT_LIMIT, cursor } }) {
    const who = await caller();
    const charge = await chargeOf(context, who, params.reference!);
    const list = `timeline of ${charge.id}`;
    const after = cursor === undefined ? undefined : Number(readCursor(who, list, cursor));
    const rows = await timelineOf(context.db, charge.id, {
      after: after ?? CREATION,
      most: limit + 1,
    });
    const entries = [...(after === undefined ? [created(charge)] : []), ...rows];
    const shown = entries.slice(0, limit);
    const next =
      entries.length > limit
        ? { next_cursor: cursorOf(who, list, String(shown.at(-1)!.position)) }
        : {};
    return { status: 200, body: { data: shown.map(entryView), ...next, tenant_id: who.tenantId } };
  },
});

/** The position of the creation: before every stored entry. */
const CREATION = 0;

function created(charge: ChargeRow): TimelineRow {
  return {
    position: CREATION,
    id: `tle_${charge.id.slice('txn_'.length)}`,
    at: charge.created_at,
    what: 'charge.initiated',
    detail: 'The charge was created.',
    amount_kobo: charge.amount_kobo,
    evidence_sha256: null,
  };
}

function entryView(row: TimelineRow) {
  return {
    object: 'timeline_entry' as const,
    id: row.id,
    at: row.at.toISOString(),
    what: row.what,
    detail: row.detail,
    amount_kobo: row.amount_kobo,
    evidence_sha256: row.evidence_sha256,
  };
}
