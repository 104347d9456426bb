import { lagosDay } from '../../shared/lagos.ts';
import { statement } from '../../shared/sql.ts';
import { isHistory, type Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { ownerOf, type SettlementAccount } from '../account/account.ts';
import { postDifferences } from '../discrepancy/post-differences.ts';
import { recordDifferences } from '../discrepancy/record-differences.ts';
import { LINE_DIFFERENCES } from './line-differences.ts';
import { postPayout } from './post.ts';
import { type SettlementRow, settlementView } from './row.ts';
import { type Decision, type StatedSettlement, totalColumns } from './totals.ts';
import { stepTransitions } from './transitions.ts';

/** The only place a settlement's status is changed. */
export async function applyDecision(
  tx: Tx,
  account: SettlementAccount,
  stated: StatedSettlement,
  decision: Decision,
): Promise<void> {
  const { totals, status, landedAt } = decision;
  const [settlement] = await update(tx.sql, {
    ...Object.fromEntries(totalColumns.map((name) => [name, totals[name] ?? null])),
    ...{ id: stated.id, status, landedAt, now: tx.now },
    step: stepTransitions.compute_totals['totals computed'],
  });
  const day = stated.expected_date ?? lagosDay(stated.landed_at ?? tx.now);
  await recordDifferences(tx, account, {
    differences: DIFFERENCES,
    scope: 'd.settlement_id = $2',
    values: [stated.id, day, JSON.stringify(decision.differences)],
  });
  const owner = ownerOf(account);
  await postPayout(tx, owner, settlement!);
  await postDifferences(tx, owner, {
    settlementId: stated.id,
    landedAt: landedAt ?? tx.now,
  });
  if (!decision.publishesLanded || isHistory(tx, day)) return;
  await publishEvent(tx, {
    tenantId: account.tenant_id,
    mode: account.mode,
    type: 'settlement.landed',
    subjectId: stated.id,
    data: settlementView(settlement!),
  });
}

const update = statement<SettlementRow>(`
  update settlements set status = :status, step = :step, totals_computed_at = :now,
    landed_at = :landedAt,
    ${totalColumns.map((name) => `${name} = coalesce(:${name}, ${name})`).join(', ')}
  where id = :id returning *`);

/** `$2`: settlement, `$3`: day, `$4`: differences of the whole. */
const DIFFERENCES = `
  ${LINE_DIFFERENCES}
  union all
  select kind, $2, $2, null, null, null, abs("differenceKobo"), "differenceKobo", $3::date,
    "oursKobo", "theirsKobo", null
  from json_to_recordset($4)
    as whole (kind text, "differenceKobo" bigint, "oursKobo" bigint, "theirsKobo" bigint)
  where "differenceKobo" <> 0`;
