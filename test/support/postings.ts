import { type Movement, post } from '../../domain/journal/post.ts';
import { type IdPrefix, newId } from '../../domain/shared/ids.ts';
import { connectionOf } from './provider-account.ts';
import type { Stack } from './stack.ts';

/** At `provider_a`: a refund, an open dispute and a payout that is ₦50 short, of which nothing else is on record. */
export async function addPostings(stack: Stack): Promise<void> {
  const connectionId = await connectionOf(stack, 'provider_a');
  const owner = { tenantId: stack.tenant.tenant_id, mode: 'test', connectionId };
  await stack.context.inTx(async (tx) => {
    const of = (prefix: IdPrefix) => ({ source: newId(prefix, tx.now), occurredAt: tx.now });
    const payout = of('stl');
    await post(tx, owner, [
      { ...of('ref'), type: 'refund', moved: { refunds: 20_000, at_provider: -20_000 } },
      { ...of('dsp'), type: 'dispute', moved: { held_by_dispute: 50_000, at_provider: -50_000 } },
      { ...payout, type: 'payout', moved: { bank: 100_000, at_provider: -100_000 } },
      { ...payout, type: 'difference', moved: { differences: 5_000, at_provider: -5_000 } },
    ] satisfies Movement[]);
  });
}
