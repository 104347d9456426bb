import { type Owner, post } from '../../journal/post.ts';
import { type Tx, txAt } from '../../shared/tx.ts';

export interface Differing {
  settlementId: string;
  landedAt: Date;
  /** When the last reason was given; now by default. */
  explainedAt?: Date;
}

/**
 * Posts what a payout differs by, and what of it a person gave a reason for. What was paid out of
 * an unknown payment is no difference: the payment may still become known. The account must be
 * locked.
 */
export async function postDifferences(
  tx: Tx,
  owner: Owner,
  { settlementId: source, landedAt, explainedAt = tx.now }: Differing,
): Promise<void> {
  const [sums] = await tx.sql.query<Record<'found' | 'explained' | 'unknown', number>>(
    `select coalesce(sum(difference_kobo) filter (where is_known), 0)::bigint as found,
       coalesce(sum(difference_kobo) filter (where is_known and is_closed), 0)::bigint as explained,
       coalesce(sum(difference_kobo) filter (where not is_known and is_closed), 0)::bigint
         as unknown
     from (select *, kind <> 'never_notified' as is_known, status = 'closed' as is_closed
       from discrepancies where settlement_id = $1 and status in ('open', 'closed')) found`,
    [source],
  );
  const { found, explained, unknown } = sums!;
  const given = {
    written_off: explained + unknown,
    differences: -explained,
    at_provider: -unknown,
  };
  const difference = { differences: found, at_provider: -found };
  await post(tx, owner, [{ source, type: 'difference', moved: difference, occurredAt: landedAt }]);
  await post(txAt(tx, explainedAt), owner, [
    { source, type: 'write_off', moved: given, occurredAt: explainedAt },
  ]);
}
