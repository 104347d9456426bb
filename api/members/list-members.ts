import { memberView, listMembers as selectMembers } from '../../domain/accounts/member/members.ts';
import { listRoute, pageQuery } from '../http/cursor.ts';
import { members } from './schemas.ts';

export const listMembers = listRoute({
  path: '/members',
  operationId: 'listMembers',
  summary: 'List the members of the business, newest first; both modes share them',
  credential: 'manage members',
  query: pageQuery,
  answer: members,
  list: async ({ context: { db } }, { tenantId }, { before, limit }) =>
    (await selectMembers(db, tenantId, before, limit)).map(memberView),
});
