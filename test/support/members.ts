import type { MemberRole, Role } from '../../domain/accounts/roles.ts';
import { newUserToken } from '../../domain/accounts/token/credentials.ts';
import { newId } from '../../domain/shared/ids.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { type ApiClient, apiClient } from './api.ts';
import { insertRow } from './insert-row.ts';
import type { Stack, TestTenant } from './stack.ts';

export interface SignedIn {
  memberId: string;
  familyId: string;
  token: string;
  api: ApiClient;
}

export async function memberOf(
  stack: Stack,
  tenant: { tenant_id: string },
  role: MemberRole,
  mode: 'live' | 'test' = 'test',
): Promise<SignedIn> {
  const now = stack.context.clock();
  const [memberId, familyId] = [newId('mem', now), newId('fam', now)];
  const token = newUserToken('access');
  const ends = new Date(now.getTime() + DAY_MS);
  const member = { id: memberId, tenant_id: tenant.tenant_id, role, created_at: now };
  await insertRow(stack, 'members', { ...member, email: `${memberId}@test.example` });
  const family = { id: familyId, member_id: memberId, created_at: now, expires_at: ends };
  await insertRow(stack, 'token_families', family);
  await insertRow(stack, 'user_tokens', {
    ...{ family_id: familyId, kind: 'access', mode, created_at: now, expires_at: ends },
    sha256: sha256Of(token),
  });
  return { memberId, familyId, token, api: apiClient(stack.baseUrl, token) };
}

/** A member of the stack's tenant with this role. The object is filled anew before each test. */
export function useMember(stack: Stack, role: MemberRole): SignedIn {
  const member = {} as SignedIn;
  beforeEach(async () => void Object.assign(member, await memberOf(stack, stack.tenant, role)));
  return member;
}

export type Keys = Record<Role, string>;

/** A credential of each kind. */
export async function keysOf(
  stack: Stack,
  tenant: TestTenant,
  mode: 'test' | 'live',
): Promise<Keys> {
  const token = async (role: MemberRole) => (await memberOf(stack, tenant, role, mode)).token;
  return {
    secret: tenant[`secret_key_${mode}`],
    public: tenant[`public_key_${mode}`],
    owner: await token('owner'),
    developer: await token('developer'),
    finance: await token('finance'),
    support: await token('support'),
    viewer: await token('viewer'),
  };
}
