import type { Tx } from '../../shared/tx.ts';

/** The first that ended come first. Returns how many. Safe to run twice, and at once. */
export async function expireLinks({ sql, now }: Pick<Tx, 'sql' | 'now'>, limit: number) {
  const expired = await sql.query(
    `update payment_links set status = 'expired' where id = any(array(
       select id from payment_links where status = 'active' and expires_at <= $1
       order by expires_at limit $2 for update skip locked))
     returning 1`,
    [now, limit],
  );
  return expired.length;
}
