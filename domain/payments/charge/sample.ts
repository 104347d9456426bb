import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import { transactionView } from './row.ts';

/** The smallest amount there is. */
const AMOUNT_KOBO = 10_000;

/**
 * A complete transaction of a charge that does not exist: `merchant_reference` and `metadata` say
 * that it is a test.
 */
export function sampleTransaction(mode: Mode, now: Date): ReturnType<typeof transactionView> {
  return transactionView({
    id: newId('txn', now),
    mode,
    number: 1,
    status: 'succeeded',
    merchant_reference: 'test-delivery',
    amount_kobo: AMOUNT_KOBO,
    fee_kobo: 0,
    refunded_kobo: 0,
    currency: 'NGN',
    email: 'test-delivery@example.com',
    name: null,
    phone: null,
    metadata: { test_delivery: true },
    slot: 'provider_a',
    channel: 'card',
    provider_reference: null,
    failure_message: null,
    occurred_at: now,
    settled_at: null,
    settlement_id: null,
    recovered: false,
  });
}
