import { unpostedOf } from '../../journal/post.ts';
import type { Sql } from '../../shared/sql.ts';
import { type Tx, txAt } from '../../shared/tx.ts';
import { firstEventIdOf } from '../../webhooks/event/publish.ts';
import { ownerOf, type SettlementAccount } from '../account/account.ts';
import { postDifferences } from '../discrepancy/post-differences.ts';
import { postPayout } from './post.ts';
import type { SettlementRow } from './row.ts';

type Account = Pick<SettlementAccount, 'id' | 'tenant_id' | 'mode'>;

export interface PastSettlements {
  /** In the order in which they were recorded. */
  ids: string[];
  /** Those of which the journal says nothing. */
  unposted: string[];
}

interface Heard {
  explained_at: Date | null;
  /** As landed: at the moment at which it was posted. */
  published_at: Date | null;
}

/** Those that landed, and those that were compared and differ. */
export async function findPastSettlements(
  sql: Sql,
  account: Account,
  { after, limit }: { after: string; limit: number },
): Promise<PastSettlements> {
  const settlements = await sql.query<{ id: string }>(
    `select id from settlements s
     where connection_id = $1 and id > $2 and totals_computed_at is not null
       and (landed_at is not null or (select true from discrepancies where settlement_id = s.id
         and status in ('open', 'closed') and difference_kobo <> 0 limit 1))
     order by id limit $3`,
    [account.id, after, limit],
  );
  const unposted = await unpostedOf(sql, settlements);
  return { ids: settlements.map(({ id }) => id), unposted: unposted.map(({ id }) => id) };
}

/**
 * Posts what landed and what differed, as it was posted when the service heard of it. The account
 * must be locked.
 */
export async function postPastSettlement(tx: Tx, account: Account, id: string): Promise<void> {
  const [settlement] = await tx.sql.query<SettlementRow & Heard>(
    `select *,
       (select max(ended_at) from discrepancies
        where settlement_id = s.id and status = 'closed') as explained_at,
       (select min(created_at) from events
        where subject_id = s.id and type = 'settlement.landed' and id >= $2) as published_at
     from settlements s where id = $1`,
    [id, firstEventIdOf(id)],
  );
  const { landed_at, totals_computed_at, created_at, explained_at, published_at } = settlement!;
  const landedAt = landed_at ?? totals_computed_at!;
  const heardAt = published_at ?? (landedAt > created_at ? landedAt : created_at);
  const then = txAt(tx, heardAt);
  await postPayout(then, ownerOf(account), settlement!);
  const explainedAt = explained_at ?? heardAt;
  await postDifferences(then, ownerOf(account), { settlementId: id, landedAt, explainedAt });
}
