import { issueLink } from '../../domain/accounts/member/member-links.ts';
import { inviteMember } from '../../domain/accounts/member/members.ts';
import { changeRoute } from '../http/idempotency.ts';
import { withLink } from './create-set-password-link.ts';
import { managerOf } from './manager.ts';
import { createMemberBody, memberWithLink } from './schemas.ts';

export const createMember = changeRoute({
  path: '/members',
  operationId: 'createMember',
  summary: 'Add a member, with a one-time link to set a password, valid for 24 hours',
  credential: 'manage members',
  body: createMemberBody,
  answers: { 201: memberWithLink },
  idempotent: true,
  sealed: true,
  async change(tx, caller, { context, body: { email, name = null, role } }) {
    const added = await inviteMember(tx, managerOf(caller), { email, name, role });
    return withLink(context, added, await issueLink(tx, added));
  },
});
