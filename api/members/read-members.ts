import { findMember, listMembers, memberView } from '../../domain/accounts/member/members.ts';
import { listReply, type PageQuery, pageOf, pageQuery } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { input } from '../http/schema.ts';
import { member, members } from './schemas.ts';

export const listOfMembers: Route<never, PageQuery> = {
  method: 'get',
  path: '/members',
  summary: 'List the members of the business, newest first; both modes share them',
  may: 'manage members',
  query: input([], pageQuery),
  answers: { 200: members },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, 'members', query);
    const rows = await listMembers(context.db, who.tenantId, page.before, page.limit + 1);
    return listReply(who, 'members', page, rows, memberView);
  },
};

export const readMember: Route = {
  method: 'get',
  path: '/members/:id',
  summary: 'Read a member',
  may: 'manage members',
  answers: { 200: member },
  async handle({ context, caller, params }) {
    const { tenantId } = await caller();
    return { status: 200, body: memberView(await findMember(context.db, tenantId, params.id!)) };
  },
};
