import type { ChargeStatus } from '../../domain/payments/charge/transitions.ts';
import { newId } from '../../domain/shared/ids.ts';
import type { Stack } from './stack.ts';

export interface ChargeLike {
  status?: ChargeStatus;
  slot?: string;
  channel?: string | null;
  email?: string;
  phone?: string;
  amountKobo?: number;
  merchantReference?: string;
  createdAt?: Date | string;
  occurredAt?: Date | string;
  settlementId?: string;
  mode?: 'live' | 'test';
}

/** Writes charges of the stack's tenant, or another, without timelines; returns their ids. */
export async function addCharges(
  stack: Stack,
  likes: readonly ChargeLike[],
  tenant = stack.tenant,
): Promise<string[]> {
  const { db, clock } = stack.context;
  const rows = likes.map(({ createdAt: created = clock(), occurredAt = created, ...like }) => {
    const createdAt = new Date(created);
    return {
      ...{ id: newId('txn', createdAt), mode: 'test', status: 'pending', slot: 'provider_a' },
      ...{ email: 'payer@example.com', amountKobo: 100_000, ...like, createdAt, occurredAt },
    };
  });
  await db.query(
    `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata, provider_wanted, slot, connection_id,
       created_by, channel, settlement_id, phone, merchant_reference, created_at, occurred_at, expires_at)
     select id, $1, mode, nextval('sv_numbers'), status, "amountKobo", 'NGN', email, '{}', 'auto', slot, 'con_of_nobody', 'secret', channel,
       "settlementId", phone, "merchantReference", "createdAt", "occurredAt", "createdAt" + interval '1 day'
     from json_to_recordset($2) as row (id text, mode text, status text, slot text, channel text, email text, "settlementId" text,
       phone text, "amountKobo" bigint, "merchantReference" text,
       "createdAt" timestamptz, "occurredAt" timestamptz)`,
    [tenant.tenant_id, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}
