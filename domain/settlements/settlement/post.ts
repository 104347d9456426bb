import { type Movement, type Owner, post } from '../../journal/post.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementRow } from './row.ts';

/** What landed leaves the provider; the merchant's other business went through it. */
export async function postPayout(
  tx: Tx,
  owner: Owner,
  { id: source, ...settlement }: SettlementRow,
): Promise<void> {
  const { landed_at: landedAt, landed_amount_kobo: landedKobo } = settlement;
  const hasLanded = landedAt !== null && landedKobo !== null;
  const landed = hasLanded ? landedKobo : 0;
  const foreign = hasLanded ? settlement.foreign_kobo : 0;
  const about = { source, occurredAt: landedAt ?? tx.now };
  const movements: Movement[] = [
    { ...about, type: 'payout', moved: { bank: landed, at_provider: -landed } },
    { ...about, type: 'other_business', moved: { at_provider: foreign, other_business: -foreign } },
  ];
  await post(tx, owner, movements);
}
