import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { DisputedPayment, DisputeReport, DisputeRow } from './row.ts';
import type { DisputeStatus } from './transitions.ts';

export async function writeDispute(
  tx: Tx,
  payment: DisputedPayment,
  known: DisputeRow | undefined,
  { id, status, report }: { id: string; status: DisputeStatus; report: DisputeReport },
): Promise<DisputeRow> {
  const decidedAt = status === 'open' ? null : tx.now;
  return known
    ? updateDispute(tx, known, { status, report, decidedAt })
    : insertDispute(tx, payment, { id, status, report, decidedAt });
}

interface Written {
  status: DisputeStatus;
  report: DisputeReport;
  decidedAt: Date | null;
}

async function updateDispute(
  { sql }: Tx,
  { id }: DisputeRow,
  { status, report, decidedAt }: Written,
): Promise<DisputeRow> {
  const [row] = await sql.query<DisputeRow>(
    `update disputes set status = $2,
       provider_dispute_id = coalesce(provider_dispute_id, $3),
       decided_at = coalesce(decided_at, $4), reason = coalesce($5, reason),
       respond_by = coalesce($6, respond_by)
     where id = $1 returning *`,
    [
      ...[id, status, report.providerDisputeId, decidedAt],
      ...[report.reason ?? null, report.respondBy ?? null],
    ],
  );
  return row!;
}

/** Unstated: all that is paid by now, and no more later. */
async function insertDispute(
  { sql, now }: Tx,
  { charge, captureId, connectionId, amountKobo: paidKobo }: DisputedPayment,
  { id, status, report, decidedAt }: Written & { id: string },
): Promise<DisputeRow> {
  const { providerDisputeId, amountKobo, reason = null, respondBy = null } = report;
  const [row] = await insert(sql, {
    id,
    tenantId: charge.tenant_id,
    mode: charge.mode,
    chargeId: charge.id,
    captureId,
    connectionId,
    providerDisputeId,
    amountKobo: amountKobo ?? paidKobo,
    reason,
    respondBy,
    status,
    enteredBy: providerDisputeId === null ? 'operator' : 'provider',
    now,
    decidedAt,
  });
  return row!;
}

const insert = statement<DisputeRow>(`
  insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id,
    provider_dispute_id, amount_kobo, reason, respond_by, status, entered_by, opened_at, decided_at)
  values (:id, :tenantId, :mode, :chargeId, :captureId, :connectionId, :providerDisputeId,
    :amountKobo, :reason, :respondBy, :status, :enteredBy, :now, :decidedAt) returning *`);

/** A negative amount is owed again. */
export async function addDisputeDeductions(
  { sql }: Tx,
  deductions: readonly { id: string; kobo: number }[],
): Promise<void> {
  if (deductions.length === 0) return;
  await sql.query(
    `update disputes set deducted_kobo = deducted_kobo + deduction.kobo
     from unnest($1::text[], $2::bigint[]) as deduction (id, kobo)
     where disputes.id = deduction.id`,
    [deductions.map(({ id }) => id), deductions.map(({ kobo }) => kobo)],
  );
}
