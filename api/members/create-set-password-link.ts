import type { Context } from '../../config/context.ts';
import { renewLink } from '../../domain/accounts/member/member-links.ts';
import { type MemberRow, memberView } from '../../domain/accounts/member/members.ts';
import { changeRoute } from '../http/idempotency.ts';
import { managerOf } from './manager.ts';
import { memberWithLink } from './schemas.ts';

export const createSetPasswordLink = changeRoute({
  path: '/members/:id/set-password-link',
  operationId: 'createSetPasswordLink',
  summary:
    'Create a new one-time link to set a password, valid for 24 hours. ' +
    'Earlier links of this member become void',
  credential: 'manage members',
  answers: { 201: memberWithLink },
  refusals: ['invalid_state'],
  idempotent: true,
  sealed: true,
  async change(tx, caller, { context, id }) {
    const { member, token } = await renewLink(tx, managerOf(caller), id);
    return withLink(context, member, token);
  },
});

/** No other answer shows the address. */
export function withLink({ env }: Context, member: MemberRow, token: string) {
  return { ...memberView(member), set_password_url: `${env.publicUrl}/set-password/${token}` };
}
