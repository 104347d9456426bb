import type { MemberRole } from '../../domain/accounts/roles.ts';
import { newUserToken } from '../../domain/accounts/token/credentials.ts';
import { newId } from '../../domain/shared/ids.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { type ApiClient, apiClient } from './api.ts';
import type { Stack } from './stack.ts';

export interface SignedIn {
  memberId: string;
  familyId: string;
  token: string;
  api: ApiClient;
}

export async function memberOf(
  { context: { db, clock }, baseUrl }: Stack,
  tenant: { tenant_id: string },
  role: MemberRole,
  mode: 'live' | 'test' = 'test',
): Promise<SignedIn> {
  const now = clock();
  const [memberId, familyId, token] = [
    newId('mem', now),
    newId('fam', now),
    newUserToken('access'),
  ];
  const ends = new Date(now.getTime() + DAY_MS);
  await db.query(
    'insert into members (id, tenant_id, email, role, created_at) values ($1, $2, $3, $4, $5)',
    [memberId, tenant.tenant_id, `${memberId}@test.example`, role, now],
  );
  await db.query(
    'insert into token_families (id, member_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [familyId, memberId, now, ends],
  );
  await db.query(
    `insert into user_tokens (sha256, family_id, kind, mode, created_at, expires_at) values ($1, $2, 'access', $3, $4, $5)`,
    [sha256Of(token), familyId, mode, now, ends],
  );
  return { memberId, familyId, token, api: apiClient(baseUrl, token) };
}

/** A member of the stack's tenant with this role. The object is filled anew before each test. */
export function useMember(stack: Stack, role: MemberRole): SignedIn {
  const member = {} as SignedIn;
  beforeEach(async () => void Object.assign(member, await memberOf(stack, stack.tenant, role)));
  return member;
}
