import {
  changeMember as change,
  type MemberChange,
} from '../../domain/accounts/member/change-member.ts';
import { memberView } from '../../domain/accounts/member/members.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { ApiRequest, Reply, Route } from '../http/route.ts';
import { managerOf } from './manager.ts';
import { member, memberChangeBody } from './schemas.ts';

export const changeMember: Route<MemberChange> = {
  method: 'patch',
  path: '/members/:id',
  summary: "Change a member's name, role or status. One Owner who can sign in always remains",
  may: 'manage members',
  body: memberChangeBody,
  answers: { 200: member },
  refusals: ['invalid_state'],
  handle: (call) => changed(call, call.body),
};

export const disableMember: Route = {
  method: 'delete',
  path: '/members/:id',
  summary:
    'Disable a member: signed out everywhere from the next request on, and kept for the audit log',
  may: 'manage members',
  answers: { 200: member },
  refusals: ['invalid_state'],
  handle: (call) => changed(call, { status: 'disabled' }),
};

async function changed(
  { context, caller, params }: Pick<ApiRequest, 'context' | 'caller' | 'params'>,
  wanted: MemberChange,
): Promise<Reply> {
  const by = managerOf(await caller());
  return changeInTx(context, async (tx) => ({
    status: 200,
    body: memberView(await change(tx, by, params.id!, wanted)),
  }));
}
