import { p, table } from '../../shared/columns.ts';
import { ofPayer, ROW_DELETED } from '../../shared/payer-data.ts';

export const TimelineEntry = table('timeline_entries', {
  id: p.ascii(),
  charge_id: p.ascii().primary(),
  /** The order of writing. */
  position: p.bigint().primary(),
  at: p.timestamp(),
  what: p.text(),
  detail: p.text().strictNullable(),
  amount_kobo: p.kobo().strictNullable(),
  attempt_id: p.ascii().strictNullable(),
  evidence_sha256: p.text().strictNullable(),
});

export const Evidence = table('evidence', {
  charge_id: p.ascii().primary(),
  sha256: p.text().primary(),
  payload: ofPayer(p.text(), ROW_DELETED),
  created_at: p.timestamp(),
});
