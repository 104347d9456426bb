import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import type { DisputeStatus } from './transitions.ts';

/** A dispute as its row holds it. Times UTC. */
export interface DisputeRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  charge_id: string;
  capture_id: string;
  connection_id: string;
  /** Null for one entered by hand that its provider has not told of. */
  provider_dispute_id: string | null;
  /** What is disputed; null where it is not stated. */
  amount_kobo: number | null;
  status: DisputeStatus;
  entered_by: 'provider' | 'operator';
  opened_at: Date;
  decided_at: Date | null;
}

/** The payment that is disputed, with what is known of its charge. */
export interface DisputedPayment {
  charge: { id: string; tenant_id: string; mode: Mode; status: string };
  captureId: string;
  connectionId: string;
  amountKobo: number;
  /** True when it is the charge's own. */
  isApplied: boolean;
}

/** How a dispute is said to stand. */
export interface Told {
  /** Null: told by hand. */
  providerDisputeId: string | null;
  /** Null: not stated. */
  amountKobo: number | null;
}

/** Writes a dispute that was not known, or where a known one stands by now. */
export async function writeDispute(
  { sql, now }: Tx,
  { charge, captureId, connectionId }: DisputedPayment,
  known: DisputeRow | undefined,
  { providerDisputeId, amountKobo }: Told,
  status: DisputeStatus,
): Promise<DisputeRow> {
  const decidedAt = status === 'open' ? null : now;
  const [row] = known
    ? await sql.query<DisputeRow>(
        `update disputes set status = $2, amount_kobo = coalesce(amount_kobo, $3), provider_dispute_id = coalesce(provider_dispute_id, $4),
           decided_at = coalesce(decided_at, $5) where id = $1 returning *`,
        [known.id, status, amountKobo, providerDisputeId, decidedAt],
      )
    : await sql.query<DisputeRow>(
        `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id, provider_dispute_id, amount_kobo, status, entered_by,
           opened_at, decided_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *`,
        [
          newId('dsp', now),
          charge.tenant_id,
          charge.mode,
          charge.id,
          captureId,
          connectionId,
          providerDisputeId,
          amountKobo,
          status,
          providerDisputeId === null ? 'operator' : 'provider',
          now,
          decidedAt,
        ],
      );
  return row!;
}
