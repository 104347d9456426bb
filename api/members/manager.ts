import type { Manager } from '../../domain/accounts/member/members.ts';
import type { Caller } from '../middleware/authenticate.ts';

export function managerOf({ tenantId, memberId, subjectId }: Caller): Manager {
  return { tenantId, memberId: memberId ?? subjectId };
}
