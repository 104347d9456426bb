import { newId } from '../../domain/shared/ids.ts';
import { anyConnection } from './connect.ts';
import { insertRow } from './insert-row.ts';
import type { Stack } from './stack.ts';

export interface SettlementLike {
  status?: 'expected' | 'landed' | 'short' | 'failed';
  slot?: string;
  expectedDate?: string | null;
  expectedKobo?: number;
  landedKobo?: number | null;
  feeKobo?: number;
  transactionCount?: number;
  bank?: { name: string; last4: string } | null;
  landedAt?: Date | null;
  mode?: 'live' | 'test';
}

export async function addSettlement(stack: Stack, like: SettlementLike = {}): Promise<string> {
  const { context, tenant } = stack;
  const now = context.clock();
  const id = newId('stl', now);
  const { mode = 'test', slot = 'provider_a', status = 'expected', bank } = like;
  await insertRow(stack, 'settlements', {
    ...{ id, tenant_id: tenant.tenant_id, mode, slot, status, step: 'reconciled' },
    ...{ connection_id: await anyConnection(stack, mode), provider_settlement_id: id },
    expected_date: like.expectedDate,
    expected_amount_kobo: like.expectedKobo ?? 500_000,
    landed_amount_kobo: like.landedKobo,
    fee_kobo: like.feeKobo ?? 0,
    transaction_count: like.transactionCount ?? 0,
    ...{ bank_name: bank?.name, bank_account_last4: bank?.last4 },
    ...{ landed_at: like.landedAt, created_at: now },
  });
  return id;
}
