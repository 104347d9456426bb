import type { Channel } from '../../providers/port/payment.ts';
import { ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Slot } from '../../shared/slot.ts';
import type { TestScenario } from '../../shared/test-scenarios.ts';
import type { ReviewReason } from './review-reasons.ts';

export const chargeStatuses = [
  'initiated',
  'pending',
  'succeeded',
  'settled',
  'failed',
  'refunded',
  'disputed',
] as const;

/** The domain exists nowhere. */
export const ERASED_EMAIL = 'erased@payer.invalid';

/** Null: erased. */
export const knownEmail = (email: string) => (email === ERASED_EMAIL ? null : email);

export const Charge = table('charges', {
  id: p.ascii().primary(),
  ...ofTenant,
  number: p.bigint(),
  status: p.enum(chargeStatuses),
  merchant_reference: p.text().strictNullable(),
  amount_kobo: p.kobo(),
  fee_kobo: p.kobo(),
  refunded_kobo: p.kobo(),
  currency: p.text(),
  email: ofPayer(p.text(), ERASED_EMAIL),
  name: ofPayer(p.text().strictNullable()),
  phone: ofPayer(p.text().strictNullable()),
  description: ofPayer(p.text().strictNullable()),
  return_url: ofPayer(p.text().strictNullable()),
  /** The page that asked for it with a public key. */
  opener_origin: p.text().strictNullable(),
  metadata: ofPayer(p.json<Record<string, unknown>>().columnType('json'), {}),
  provider_wanted: p.text().$type<'auto' | Slot>(),
  slot: p.slot(),
  connection_id: p.ascii(),
  payment_link_id: p.ascii().strictNullable(),
  /** `import`: it was paid before its account was connected. */
  created_by: p.enum(['secret', 'public', 'member', 'link', 'import']),
  channel: p.text().$type<Channel>().strictNullable(),
  provider_reference: p.text().strictNullable(),
  failure_message: p.text().strictNullable(),
  failure_cause: p.text().strictNullable(),
  capture_id: p.ascii().strictNullable(),
  occurred_at: p.timestamp(),
  settled_at: p.timestamp().strictNullable(),
  settlement_id: p.ascii().strictNullable(),
  recovered: p.boolean(),
  /** Empty: it is not in review. */
  review: p.array().$type<ReviewReason[]>(),
  created_at: p.timestamp(),
  expires_at: p.timestamp(),
  cancel_requested_at: p.timestamp().strictNullable(),
  /** Of the last try. */
  failed_at: p.timestamp().strictNullable(),
  /** Of the first one, when merchants heard of it: the day that it counts for. */
  first_failed_at: p.timestamp().strictNullable(),
  /** Its payer tries again after a decline; its status is `failed` until money comes. */
  retrying: p.boolean(),
  /** What the sandbox's customer does. Only connections to the sandbox serve such a charge. */
  test_scenario: p.text().$type<TestScenario>().strictNullable(),
});
