import type { Manager } from '../../domain/accounts/member/members.ts';
import type { Caller } from '../middleware/authenticate.ts';

/** The caller as the person who changes members. */
export function managerOf({ tenantId, memberId, subjectId }: Caller): Manager {
  return { tenantId, memberId: memberId ?? subjectId };
}
