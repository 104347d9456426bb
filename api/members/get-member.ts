import { findMember, memberView } from '../../domain/accounts/member/members.ts';
import { route } from '../http/route.ts';
import { member } from './schemas.ts';

export const getMember = route({
  method: 'get',
  path: '/members/:id',
  operationId: 'getMember',
  summary: 'Read a member',
  credential: 'manage members',
  answers: { 200: member },
  async handle({ context, caller, params }) {
    const { tenantId } = await caller();
    return { status: 200, body: memberView(await findMember(context.db, tenantId, params.id!)) };
  },
});
