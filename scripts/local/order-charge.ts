import { createCharge } from '../../domain/payments/charge/create.ts';
import { blankCharge, type NewCharge } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import { CURRENCY } from '../../domain/shared/money.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { DAY_MS } from '../../domain/shared/units.ts';

/** Creates a charge as a request with this secret key does, without asking its provider yet. */
export async function orderCharge(
  tx: Parameters<typeof createCharge>[0],
  now: Date,
  secretKey: string,
  order: Partial<NewCharge> & Pick<NewCharge, 'amount_kobo' | 'email' | 'provider_wanted'>,
): Promise<{ chargeId: string; attemptId: string }> {
  const charge: NewCharge = {
    ...{ ...blankCharge, id: newId('txn', now), mode: 'test', currency: CURRENCY, metadata: {} },
    ...{ expires_at: new Date(now.getTime() + DAY_MS), ...order },
  };
  const sha256 = sha256Of(secretKey);
  const asker = { sha256, roles: ['secret' as const], origin: null, idempotency: undefined };
  const created = await createCharge(tx, { asker, charge, answerTemplate: '{}', now });
  return { chargeId: charge.id, attemptId: created.attemptId! };
}
