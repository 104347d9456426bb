import { memberView, listMembers as selectMembers } from '../../domain/accounts/member/members.ts';
import { listReply, pageOf, pageQuery } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { members } from './schemas.ts';

export const listMembers = route({
  method: 'get',
  path: '/members',
  operationId: 'listMembers',
  summary: 'List the members of the business, newest first; both modes share them',
  credential: 'manage members',
  query: pageQuery,
  answers: { 200: members },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, 'members', query);
    const rows = await selectMembers(context.db, who.tenantId, page.before, page.limit + 1);
    return listReply(who, 'members', page, rows, memberView);
  },
});
