import { invalid } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';

/** Who may approve refunds of a business. */
export interface RefundRules {
  /** Whoever asked for a refund does not approve it. */
  requiresSecondPerson: boolean;
  /** Two Owners approve refunds of more; null: one approves each. */
  twoOwnersAboveKobo: number | null;
  /** Ids of those who can sign in. */
  owners: readonly string[];
}

export async function findRefundRules(sql: Sql, tenantId: string): Promise<RefundRules> {
  const [rules] = await sql.query<RefundRules>(
    `select refunds_require_second_person as "requiresSecondPerson",
       refunds_require_two_owners_above_kobo as "twoOwnersAboveKobo",
       array(select id from members where tenant_id = $1 and role = 'owner'
         and disabled_at is null and password_hash is not null) as owners
     from tenants where id = $1`,
    [tenantId],
  );
  return rules!;
}

/** Throws 422 for the field. The tenant must be locked, so that no Owner goes meanwhile. */
export async function requireTwoOwners(sql: Sql, tenantId: string, field: string): Promise<void> {
  const { owners } = await findRefundRules(sql, tenantId);
  if (owners.length < 2)
    throw invalid({ [field]: 'needs two Owners who can sign in: invite one under Members' });
}
