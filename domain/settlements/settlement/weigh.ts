import type { Job } from '../../jobs.ts';
import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { compareBooks } from '../discrepancy/compare.ts';
import type { DiscrepancyKind } from '../discrepancy/machine.ts';
import { type SettlementAccount, takeTurn } from './account.ts';
import { giveBackDeductions, takeDeductions } from './deductions.ts';
import { LINE_DIFFERENCES, sumLines } from './differences.ts';
import { dropLines } from './lines.ts';
import { type SettlementFact, type SettlementStatus, settlementTransitions } from './machine.ts';
import { type SettlementRow, settlementView } from './row.ts';

interface Stated {
  id: string;
  status: SettlementStatus;
  stated_state: 'landed' | 'failed';
  stated_amount_kobo: number | null;
  stated_deductions_kobo: number | null;
  expected_date: string | null;
  landed_at: Date | null;
}

/** What a settlement comes to. All kobo. */
interface Weight {
  grossKobo: number;
  feeKobo: number;
  refundsKobo: number;
  chargebacksKobo: number;
  count: number;
  foreignKobo: number;
  foreignCount: number;
  landedKobo: number;
  /** Of what was taken out, what our books do not explain. */
  unexplainedKobo: number;
  /** What the payout's own lines and deductions come to, less what landed. */
  shortKobo: number;
}

/**
 * Weighs a settlement whose lines were read, or which failed: what it should have been by our books, what landed, and what makes the
 * difference, to the kobo. The first time it is found landed, or short, its event goes out. Weighed again it comes to the same, unless
 * our books or the provider's word have changed since.
 */
export async function weighSettlement(
  tx: Tx,
  account: SettlementAccount,
  settlementId: string,
): Promise<Job[]> {
  await takeTurn(tx, account);
  const [stated] = await tx.sql.query<Stated>(
    `select id, status, stated_state, stated_amount_kobo, stated_deductions_kobo, expected_date::text, landed_at
     from settlements where id = $1 and (lines_read_at is not null or stated_state = 'failed') for update`,
    [settlementId],
  );
  if (!stated) return [];
  if (stated.stated_state === 'failed') return fail(tx, account, stated);
  const weight = await weigh(tx, account, stated);
  const status = statusAfter(stated.status, factOf(weight));
  const settlement = await write(tx, stated, weight, status);
  await compare(tx, account, stated, weight);
  const hasJustLanded = stated.status === 'expected' || stated.status === 'failed';
  if (!hasJustLanded) return [];
  const { tenant_id: tenantId, mode } = account;
  return publishEvent(tx, {
    tenantId,
    mode,
    type: 'settlement.landed',
    subjectId: settlementId,
    data: settlementView(settlement),
  });
}

/** Nothing came, or it was taken back, and nothing of it is claimed: its payments are expected as before, and so are its deductions. */
async function fail(tx: Tx, account: SettlementAccount, stated: Stated): Promise<Job[]> {
  await dropLines(tx, stated.id);
  await giveBackDeductions(tx, stated.id);
  await compare(tx, account, stated, {
    unexplainedKobo: 0,
    shortKobo: 0,
    refundsKobo: 0,
    chargebacksKobo: 0,
  });
  const { sql, now } = tx;
  await sql.query(
    `update settlements set status = $2, expected_amount_kobo = coalesce(nullif(expected_amount_kobo, 0), stated_amount_kobo, 0),
       landed_amount_kobo = 0, landed_at = null, weighed_at = $3 where id = $1`,
    [stated.id, statusAfter(stated.status, 'failed'), now],
  );
  return [];
}

async function weigh(tx: Tx, account: SettlementAccount, stated: Stated): Promise<Weight> {
  const { netKobo, ...sums } = await sumLines(tx, stated.id);
  const { stated_amount_kobo: amountKobo, stated_deductions_kobo: deductionsKobo } = stated;
  const landedKobo = amountKobo ?? netKobo - (deductionsKobo ?? 0);
  // Where nobody states what was taken out, it is looked for in what is not there.
  const wantedKobo = deductionsKobo ?? netKobo - landedKobo;
  const known = await takeDeductions(tx, account, {
    settlementId: stated.id,
    kobo: wantedKobo,
    isWhole: deductionsKobo === null,
    landedAt: stated.landed_at ?? tx.now,
  });
  const knownKobo = known.refundsKobo + known.chargebacksKobo;
  const takenKobo = deductionsKobo ?? knownKobo;
  return {
    ...sums,
    ...known,
    landedKobo,
    unexplainedKobo: takenKobo - knownKobo,
    shortKobo: netKobo - takenKobo - landedKobo,
  };
}

function expectedOf({
  grossKobo,
  feeKobo,
  refundsKobo,
  chargebacksKobo,
  foreignKobo,
}: Weight): number {
  return grossKobo - feeKobo - refundsKobo - chargebacksKobo + foreignKobo;
}

function factOf(weight: Weight): SettlementFact {
  return expectedOf(weight) > weight.landedKobo ? 'landed short' : 'landed';
}

function statusAfter(status: SettlementStatus, fact: SettlementFact): SettlementStatus {
  return settlementTransitions[status][fact] ?? status;
}

async function write(
  { sql, now }: Tx,
  stated: Stated,
  weight: Weight,
  status: SettlementStatus,
): Promise<SettlementRow> {
  const [row] = await sql.query<SettlementRow>(
    `update settlements set status = $2, expected_amount_kobo = $3, landed_amount_kobo = $4, gross_kobo = $5, fee_kobo = $6,
       refunds_kobo = $7, chargebacks_kobo = $8, transaction_count = $9, foreign_kobo = $10, foreign_count = $11,
       landed_at = coalesce(landed_at, $12), weighed_at = $12
     where id = $1 returning *, expected_date::text`,
    [
      stated.id,
      status,
      expectedOf(weight),
      weight.landedKobo,
      weight.grossKobo,
      weight.feeKobo,
      weight.refundsKobo,
      weight.chargebacksKobo,
      weight.count,
      weight.foreignKobo,
      weight.foreignCount,
      now,
    ],
  );
  return row!;
}

/** `$2` is the settlement, `$3` its day; the rest are the differences of the settlement as a whole. */
const DIFFERENCES = `
  ${LINE_DIFFERENCES}
  union all
  select kind, $2, $2, null, null, null, abs(kobo), kobo, $3::date::text, ours_kobo, theirs_kobo, null
  from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) as whole (kind, kobo, ours_kobo, theirs_kobo) where kobo <> 0`;

/** What differs about a settlement as a whole, and what is known of its deductions. */
type Whole = Pick<Weight, 'unexplainedKobo' | 'shortKobo' | 'refundsKobo' | 'chargebacksKobo'>;

async function compare(
  tx: Tx,
  account: SettlementAccount,
  stated: Stated,
  weight: Whole,
): Promise<void> {
  const { unexplainedKobo, shortKobo, refundsKobo, chargebacksKobo } = weight;
  const knownKobo = refundsKobo + chargebacksKobo;
  const kinds: DiscrepancyKind[] = ['deduction_mismatch', 'short', 'surplus'];
  const wholes = [unexplainedKobo, Math.max(0, shortKobo), Math.min(0, shortKobo)];
  const day = stated.expected_date ?? lagosDay(stated.landed_at ?? tx.now);
  await compareBooks(tx, account, {
    differences: DIFFERENCES,
    among: 'd.settlement_id = $2',
    values: [
      stated.id,
      day,
      kinds,
      wholes,
      [knownKobo, null, null],
      [unexplainedKobo + knownKobo, null, null],
    ],
  });
}
