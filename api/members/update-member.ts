import { changeMember } from '../../domain/accounts/member/change-member.ts';
import { memberView } from '../../domain/accounts/member/members.ts';
import { changeRoute } from '../http/idempotency.ts';
import { managerOf } from './manager.ts';
import { member, updateMemberBody } from './schemas.ts';

export const updateMember = changeRoute({
  method: 'patch',
  path: '/members/:id',
  operationId: 'updateMember',
  summary: "Change a member's name, role or status. One Owner who can sign in always remains",
  credential: 'manage members',
  body: updateMemberBody,
  answers: { 200: member },
  refusals: ['invalid_state'],
  change: async (tx, caller, { id, body }) =>
    memberView(await changeMember(tx, managerOf(caller), id, body)),
});
