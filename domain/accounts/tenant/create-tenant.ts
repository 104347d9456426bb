import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import { addApiKey } from '../api-key/api-keys.ts';
import { Tenant } from '../entities/tenant.ts';
import { newPasswordHash } from '../member/member-passwords.ts';
import { addMember } from '../member/members.ts';
import { type KeyKind, newPassword, type PasswordCost } from '../token/credentials.ts';

export interface NewTenant {
  name: string;
  ownerEmail: string;
  passwordCost?: PasswordCost;
}

export interface CreatedTenant {
  tenant_id: string;
  secret_key_test: string;
  public_key_test: string;
  secret_key_live: string;
  public_key_live: string;
  owner: { email: string; password: string };
}

/** Prepares a tenant, its Owner and a key of each kind and mode; written at the flush. */
export async function createTenant(
  { em, sql, now }: Pick<Tx, 'em' | 'sql' | 'now'>,
  { name, ownerEmail, passwordCost }: NewTenant,
): Promise<CreatedTenant> {
  const { id } = em.create(Tenant, {
    id: newId('ten', now),
    name,
    time_zone: 'Africa/Lagos',
    requires_second_factor: false,
    support_email: null,
    support_phone: null,
    sends_receipts: false,
    sends_payment_links: false,
    refunds_require_second_person: false,
    refunds_require_two_owners_above_kobo: null,
    created_at: now,
  });
  const password = newPassword();
  const owner = { email: ownerEmail, name: null, role: 'owner' as const };
  const hash = await newPasswordHash(sql, ownerEmail, password, passwordCost);
  addMember({ em, now }, id, owner, hash);
  const key = (kind: KeyKind, mode: Mode) =>
    addApiKey({ em, now }, { tenantId: id, mode }, { kind, name: null }).key;
  return {
    tenant_id: id,
    secret_key_test: key('secret', 'test'),
    public_key_test: key('public', 'test'),
    secret_key_live: key('secret', 'live'),
    public_key_live: key('public', 'live'),
    owner: { email: ownerEmail, password },
  };
}
