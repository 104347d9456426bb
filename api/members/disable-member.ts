import { changeMember } from '../../domain/accounts/member/change-member.ts';
import { memberView } from '../../domain/accounts/member/members.ts';
import { changeInTx } from '../http/idempotency.ts';
import { route } from '../http/route.ts';
import { managerOf } from './manager.ts';
import { member } from './schemas.ts';

export const disableMember = route({
  method: 'delete',
  path: '/members/:id',
  operationId: 'disableMember',
  summary:
    'Disable a member: signed out everywhere from the next request on, and kept for the audit log',
  credential: 'manage members',
  answers: { 200: member },
  refusals: ['invalid_state'],
  async handle({ context, caller, params }) {
    const by = managerOf(await caller());
    return changeInTx(context, async (tx) => ({
      status: 200,
      body: memberView(await changeMember(tx, by, params.id!, { status: 'disabled' })),
    }));
  },
});
