import type {
  DiscrepancyKind,
  DiscrepancyStatus,
} from '../../domain/settlements/discrepancy/transitions.ts';
import { newId } from '../../domain/shared/ids.ts';
import { anyConnection } from './connect.ts';
import type { Stack } from './stack.ts';

/** The fields not given are those of a fee that differs by ₦25, without its line. */
export interface DiscrepancyLike {
  kind?: DiscrepancyKind;
  status?: DiscrepancyStatus;
  slot?: string;
  settlementId?: string | null;
  lineId?: string | null;
  chargeId?: string | null;
  reference?: string | null;
  differenceKobo?: number;
  day?: string;
  mode?: 'live' | 'test';
}

export async function addDiscrepancy(stack: Stack, like: DiscrepancyLike = {}): Promise<string> {
  const { context, tenant } = stack;
  const now = context.clock();
  const id = newId('dsc', now);
  const { kind = 'fee_mismatch', status = 'open', differenceKobo = 2_500 } = like;
  await context.db.query(
    `insert into discrepancies (id, tenant_id, mode, connection_id, slot, kind, subject, settlement_id, line_id, charge_id, reference,
       amount_kobo, difference_kobo, detail, status, day, opened_at, ended_at)
     values ($1, $2, $3, $15, $4, $5, $1, $6, $7, $8, $9, abs($10::bigint), $10, 'The fee differs.', $11, $12, $13, $14)`,
    [
      id,
      tenant.tenant_id,
      like.mode ?? 'test',
      like.slot ?? 'provider_a',
      kind,
      like.settlementId ?? null,
      like.lineId ?? null,
      like.chargeId ?? null,
      like.reference === undefined ? 'SV-100001-4f7k2m9p' : like.reference,
      differenceKobo,
      status,
      like.day ?? '2026-03-03',
      now,
      status === 'open' ? null : now,
      await anyConnection(stack, like.mode),
    ],
  );
  return id;
}
