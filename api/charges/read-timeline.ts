import { type TimelineRow, timelineOf } from '../../domain/charge/find.ts';
import type { ChargeRow } from '../../domain/charge/row.ts';
import type { Route } from '../route.ts';
import { chargeOf } from './read-charge.ts';
import { timeline } from './schemas.ts';

/** No honest charge has more lines; the newest of a longer one are left out. */
const MOST_ENTRIES = 1_000;

export const readTimeline: Route = {
  method: 'get',
  path: '/charges/:reference/timeline',
  summary: "Read a charge's history, oldest first",
  may: 'read',
  answers: { 200: timeline },
  async handle({ context, caller, params }) {
    const who = await caller();
    const charge = await chargeOf(context, who, params.reference!);
    const rows = await timelineOf(context.db, charge.id, MOST_ENTRIES);
    return { status: 200, body: { data: [created(charge), ...rows.map(entryView)], tenant_id: who.tenantId } };
  },
};

/** The first line is the charge itself: it needs no row of its own. */
function created(charge: ChargeRow) {
  return entryView({
    id: `tle_${charge.id.slice('txn_'.length)}`,
    at: charge.created_at,
    what: 'charge.initiated',
    detail: 'The charge was created.',
    amount_kobo: charge.amount_kobo,
    evidence_sha256: null,
  });
}

function entryView(row: TimelineRow) {
  return {
    object: 'timeline_entry',
    id: row.id,
    at: row.at.toISOString(),
    what: row.what,
    detail: row.detail,
    amount_kobo: row.amount_kobo,
    evidence_sha256: row.evidence_sha256,
  };
}
