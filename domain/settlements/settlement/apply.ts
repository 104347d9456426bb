import { lagosDay } from '../../shared/lagos.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import type { SettlementAccount } from '../account/account.ts';
import { recordDifferences } from '../discrepancy/record-differences.ts';
import { LINE_DIFFERENCES } from './line-differences.ts';
import { type SettlementRow, settlementView } from './row.ts';
import type { Decision, StatedSettlement, Totals, WholeDifference } from './totals.ts';
import { stepTransitions } from './transitions.ts';

/** Writes a decision with all its effects. The only place a settlement's status is changed. */
export async function applyDecision(
  tx: Tx,
  account: SettlementAccount,
  stated: StatedSettlement,
  decision: Decision,
): Promise<void> {
  const settlement = await write(tx, stated.id, decision);
  await recordSettlementDifferences(tx, account, stated, decision.differences);
  if (!decision.publishesLanded) return;
  await publishEvent(tx, {
    tenantId: account.tenant_id,
    mode: account.mode,
    type: 'settlement.landed',
    subjectId: stated.id,
    data: settlementView(settlement),
  });
}

/** Totals that the decision leaves out stay as they are. */
async function write(
  { sql, now }: Tx,
  id: string,
  { status, totals, landedAt }: Decision,
): Promise<SettlementRow> {
  const step = stepTransitions.compute_totals['totals computed'];
  const values = Object.fromEntries(TOTALS.map((name) => [name, totals[name] ?? null]));
  const [row] = await update(sql, { ...values, id, status, step, now, landedAt });
  return row!;
}

const TOTALS: readonly (keyof Totals)[] = [
  'expected_amount_kobo',
  'landed_amount_kobo',
  'gross_kobo',
  'fee_kobo',
  'refunds_kobo',
  'chargebacks_kobo',
  'transaction_count',
  'foreign_kobo',
  'foreign_count',
];

const update = statement<SettlementRow>(`
  update settlements set status = :status, step = :step, totals_computed_at = :now,
    landed_at = :landedAt,
    ${TOTALS.map((name) => `${name} = coalesce(:${name}, ${name})`).join(', ')}
  where id = :id returning *, expected_date::text`);

/** `$2` is the settlement, `$3` its day, `$4` the differences of the whole settlement. */
const DIFFERENCES = `
  ${LINE_DIFFERENCES}
  union all
  select kind, $2, $2, null, null, null, abs(kobo), kobo, $3::date::text, ours_kobo, theirs_kobo,
    null
  from json_to_recordset($4)
    as whole (kind text, kobo bigint, ours_kobo bigint, theirs_kobo bigint)
  where kobo <> 0`;

function recordSettlementDifferences(
  tx: Tx,
  account: SettlementAccount,
  { id, expected_date: expectedDate, landed_at: landedAt }: StatedSettlement,
  differences: readonly WholeDifference[],
): Promise<void> {
  return recordDifferences(tx, account, {
    differences: DIFFERENCES,
    scope: 'd.settlement_id = $2',
    values: [
      id,
      expectedDate ?? lagosDay(landedAt ?? tx.now),
      JSON.stringify(differences.map(asRow)),
    ],
  });
}

const asRow = ({ kind, differenceKobo, oursKobo, theirsKobo }: WholeDifference) => ({
  kind,
  kobo: differenceKobo,
  ours_kobo: oursKobo,
  theirs_kobo: theirsKobo,
});
