import { issueLink } from '../../domain/accounts/member/member-links.ts';
import { inviteMember } from '../../domain/accounts/member/members.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { route } from '../http/route.ts';
import { withLink } from './create-set-password-link.ts';
import { managerOf } from './manager.ts';
import { createMemberBody, memberWithLink } from './schemas.ts';

export const createMember = route({
  method: 'post',
  path: '/members',
  operationId: 'createMember',
  summary: 'Add a member, with a one-time link to set a password, valid for 24 hours',
  credential: 'manage members',
  body: createMemberBody,
  answers: { 201: memberWithLink },
  idempotent: true,
  handle: (call) =>
    withIdempotency(
      call,
      async (tx, caller) => {
        const { email, name = null, role } = call.body;
        const added = await inviteMember(tx, managerOf(caller), { email, name, role });
        return {
          status: 201,
          body: withLink(call.context, added, await issueLink(tx, added.id)),
        };
      },
      { sealed: true },
    ),
});
