import type { Context } from '../../config/context.ts';
import { renewLink } from '../../domain/accounts/member/member-links.ts';
import { type MemberRow, memberView } from '../../domain/accounts/member/members.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { route } from '../http/route.ts';
import { managerOf } from './manager.ts';
import { memberWithLink } from './schemas.ts';

export const createSetPasswordLink = route({
  method: 'post',
  path: '/members/:id/set-password-link',
  operationId: 'createSetPasswordLink',
  summary:
    'Create a new one-time link to set a password, valid for 24 hours. ' +
    'Earlier links of this member become void',
  credential: 'manage members',
  answers: { 201: memberWithLink },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    withIdempotency(
      call,
      async (tx, caller) => {
        const { member, token } = await renewLink(tx, managerOf(caller), call.params.id!);
        return { status: 201, body: withLink(call.context, member, token) };
      },
      { sealed: true },
    ),
});

/**
 * A member with the address of the page on which they set a password. No other answer shows it.
 */
export function withLink({ env }: Context, member: MemberRow, token: string) {
  return { ...memberView(member), set_password_url: `${env.publicUrl}/set-password/${token}` };
}
