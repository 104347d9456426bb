import { newId } from '../../shared/ids.ts';
import { blankCharge, type ChargeRow, transactionView } from './row.ts';

const AMOUNT_KOBO = 10_000;

type Owner = Pick<ChargeRow, 'tenant_id' | 'mode'>;

export function sampleCharge({ tenant_id, mode }: Owner, now: Date): ChargeRow {
  return {
    ...blankCharge,
    id: newId('txn', now),
    tenant_id,
    mode,
    number: 1,
    status: 'succeeded',
    amount_kobo: AMOUNT_KOBO,
    fee_kobo: 0,
    refunded_kobo: 0,
    currency: 'NGN',
    email: 'payer@example.com',
    metadata: {},
    provider_wanted: 'auto',
    slot: 'provider_a',
    connection_id: newId('con', now),
    created_by: 'secret',
    channel: 'card',
    occurred_at: now,
    recovered: false,
    retrying: false,
    review: [],
    created_at: now,
    expires_at: now,
  };
}

export function sampleTransaction(owner: Owner, now: Date): ReturnType<typeof transactionView> {
  return transactionView({
    ...sampleCharge(owner, now),
    merchant_reference: 'test-delivery',
    email: 'test-delivery@example.com',
    metadata: { test_delivery: true },
  });
}
