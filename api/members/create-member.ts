import { issueLink } from '../../domain/tenant/member-links.ts';
import { addMember } from '../../domain/tenant/members.ts';
import { once } from '../once.ts';
import type { Route } from '../route.ts';
import { managerOf } from './manager.ts';
import { memberWithLink, type NewMemberBody, newMemberBody } from './schemas.ts';
import { withLink } from './set-password-link.ts';

export const createMember: Route<NewMemberBody> = {
  method: 'post',
  path: '/members',
  summary: 'Add a member, with a one-time link to set a password; it is good for 24 hours',
  may: 'manage members',
  body: newMemberBody,
  answers: { 201: memberWithLink },
  idempotent: true,
  handle: (call) =>
    once(
      call,
      async (phase, caller) => {
        const { email, name = null, role } = call.body;
        const added = await addMember(phase, managerOf(caller), { email, name, role });
        return {
          status: 201,
          body: withLink(call.context, added, await issueLink(phase, added.id)),
        };
      },
      { sealed: true },
    ),
};
