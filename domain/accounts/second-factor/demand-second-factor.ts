import type { Tx } from '../../shared/tx.ts';

/**
 * Holds up the sign-ins that lack a demanded second factor, of all members or one: a session goes
 * on after enrolment, an app signs in again.
 */
export async function demandSecondFactor(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  tenantId: string,
  memberId: string | null = null,
): Promise<void> {
  await sql.query(
    `with families as (
       select f.id from token_families f
         join members m on m.id = f.member_id join tenants t on t.id = m.tenant_id
       where t.id = $1 and t.requires_second_factor and m.totp_enrolled_at is null
         and ($3::text is null or m.id = $3) and f.revoked_at is null and f.expires_at > $2
     ), sessions as (
       update dashboard_sessions s set status = 'awaiting_enrolment'
       from families where s.family_id = families.id returning s.family_id
     )
     update token_families f set revoked_at = $2 from families
     where f.id = families.id and f.id not in (select family_id from sessions)`,
    [tenantId, now, memberId],
  );
}
