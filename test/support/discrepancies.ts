import type {
  DiscrepancyKind,
  DiscrepancyStatus,
} from '../../domain/settlements/discrepancy/transitions.ts';
import { newId } from '../../domain/shared/ids.ts';
import { anyConnection } from './connect.ts';
import { insertRow } from './insert-row.ts';
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
  const { mode = 'test', slot = 'provider_a', status = 'open', differenceKobo = 2_500 } = like;
  const { kind = 'fee_mismatch', reference = 'SV-100001-4f7k2m9p', day = '2026-03-03' } = like;
  await insertRow(stack, 'discrepancies', {
    ...{ id, tenant_id: tenant.tenant_id, mode, slot, kind, status, day, reference },
    ...{ connection_id: await anyConnection(stack, mode), subject: id },
    ...{ settlement_id: like.settlementId, line_id: like.lineId, charge_id: like.chargeId },
    ...{ amount_kobo: Math.abs(differenceKobo), difference_kobo: differenceKobo },
    ...{ detail: 'The fee differs.', opened_at: now, ended_at: status === 'open' ? null : now },
  });
  return id;
}
