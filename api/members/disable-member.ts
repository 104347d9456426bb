import { changeMember } from '../../domain/accounts/member/change-member.ts';
import { memberView } from '../../domain/accounts/member/members.ts';
import { changeRoute } from '../http/idempotency.ts';
import { managerOf } from './manager.ts';
import { member } from './schemas.ts';

export const disableMember = changeRoute({
  method: 'delete',
  path: '/members/:id',
  operationId: 'disableMember',
  summary:
    'Disable a member: signed out everywhere from the next request on, and kept for the audit log',
  credential: 'manage members',
  answers: { 200: member },
  refusals: ['invalid_state'],
  change: async (tx, caller, { id }) =>
    memberView(await changeMember(tx, managerOf(caller), id, { status: 'disabled' })),
});
