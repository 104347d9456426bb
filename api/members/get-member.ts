import { findMember, memberView } from '../../domain/accounts/member/members.ts';
import { readRoute } from '../http/route.ts';
import { member } from './schemas.ts';

export const getMember = readRoute({
  path: '/members/:id',
  operationId: 'getMember',
  summary: 'Read a member',
  credential: 'manage members',
  answer: member,
  read: async ({ db }, { tenantId }, id) => memberView(await findMember(db, tenantId, id)),
});
