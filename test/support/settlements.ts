import { newId } from '../../domain/shared/ids.ts';
import { anyConnection } from './connect.ts';
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
  await context.db.query(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id,
       status, step, expected_date, expected_amount_kobo, landed_amount_kobo, fee_kobo,
       transaction_count, bank_name, bank_account_last4, landed_at, created_at)
     values ($1, $2, $3, $15, $4, $1, $5, 'reconciled', $6, $7, $8, $9, $10, $11, $12, $13,
       $14)`,
    [
      id,
      tenant.tenant_id,
      like.mode ?? 'test',
      like.slot ?? 'provider_a',
      like.status ?? 'expected',
      like.expectedDate ?? null,
      like.expectedKobo ?? 500_000,
      like.landedKobo ?? null,
      like.feeKobo ?? 0,
      like.transactionCount ?? 0,
      like.bank?.name ?? null,
      like.bank?.last4 ?? null,
      like.landedAt ?? null,
      now,
      await anyConnection(stack, like.mode),
    ],
  );
  return id;
}
