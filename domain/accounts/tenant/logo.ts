import { sha256Of } from '../../shared/sha256.ts';
import type { Entities, Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { TenantLogo } from '../entities/tenant.ts';
import { lockTenant } from '../lock-tenant.ts';
import { type Manager, recordOnMember } from '../member/members.ts';

export function logoUrlOf(sha256: string | null, publicUrl: string): string | null {
  return sha256 === null ? null : `${publicUrl}/logos/${sha256}.png`;
}

export function logoSha256Of(tenantId: string): string {
  return `(select sha256 from tenant_logos where tenant_id = ${tenantId})`;
}

export async function findLogoSha256({ em }: Entities, tenantId: string): Promise<string | null> {
  const logo = await em.findOne(
    TenantLogo,
    { tenant_id: tenantId },
    { fields: ['sha256'], disableIdentityMap: true },
  );
  return logo?.sha256 ?? null;
}

export async function findLogo(sql: Sql, sha256: string): Promise<Buffer | undefined> {
  const [row] = await sql.query<{ png: Buffer }>(
    'select png from tenant_logos where sha256 = $1 limit 1',
    [sha256],
  );
  return row?.png;
}

/** The same one again changes nothing. */
export async function setLogo(tx: Tx, by: Manager, png: Buffer): Promise<void> {
  const { tenantId } = by;
  const sha256 = sha256Of(png);
  await lockTenant(tx, tenantId);
  if ((await findLogoSha256(tx, tenantId)) === sha256) return;
  await tx.sql.query(SET, [tenantId, sha256, png, tx.now]);
  await recordOnMember(tx, by, 'business.logo_changed', tenantId, sha256);
}

const SET = `
  insert into tenant_logos (tenant_id, sha256, png, created_at) values ($1, $2, $3, $4)
  on conflict (tenant_id) do update
  set sha256 = excluded.sha256, png = excluded.png, created_at = excluded.created_at`;

export async function removeLogo(tx: Tx, by: Manager): Promise<void> {
  const { tenantId } = by;
  const removed = await tx.sql.query(
    'delete from tenant_logos where tenant_id = $1 returning tenant_id',
    [tenantId],
  );
  if (removed.length > 0) await recordOnMember(tx, by, 'business.logo_changed', tenantId, 'none');
}
