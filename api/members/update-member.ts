import { changeMember } from '../../domain/accounts/member/change-member.ts';
import { memberView } from '../../domain/accounts/member/members.ts';
import { changeInTx } from '../http/idempotency.ts';
import { route } from '../http/route.ts';
import { managerOf } from './manager.ts';
import { member, updateMemberBody } from './schemas.ts';

export const updateMember = route({
  method: 'patch',
  path: '/members/:id',
  operationId: 'updateMember',
  summary: "Change a member's name, role or status. One Owner who can sign in always remains",
  credential: 'manage members',
  body: updateMemberBody,
  answers: { 200: member },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const by = managerOf(await caller());
    return changeInTx(context, async (tx) => ({
      status: 200,
      body: memberView(await changeMember(tx, by, params.id!, body)),
    }));
  },
});
