import { memberRoles } from '../../../domain/accounts/roles.ts';
import { removeTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { createMember } from '../../members/create-member.ts';
import { createSetPasswordLink } from '../../members/create-set-password-link.ts';
import { listMembers } from '../../members/list-members.ts';
import { roleWords } from '../../members/role-words.ts';
import { updateMember } from '../../members/update-member.ts';
import { calling, filled, showing } from '../forms.ts';
import { listed } from '../lists.ts';
import { view } from '../request.ts';

const LINK = ['email', 'set_password_url'];

export const membersView = view('members', {
  async load(request) {
    const { rows, nextHref } = await listed(request, listMembers);
    return { members: rows, roles: memberRoles, roleWords, nextHref };
  },
  forms: [
    {
      path: '/members',
      isConfirmed: true,
      submit: showing('link', LINK, createMember, (values) => ({
        email: values.email,
        role: values.role,
        ...filled(values, 'name'),
      })),
    },
    {
      path: '/members/:id/link',
      isConfirmed: true,
      submit: showing('link', LINK, createSetPasswordLink),
    },
    {
      // For a member who lost their authenticator and their recovery codes.
      path: '/members/:id/remove-authenticator',
      isConfirmed: true,
      async submit({ context, session, params: { id = '' } }) {
        await context.inTx((tx) => removeTotp(tx, session, id));
        return { notice: 'authenticator_removed' };
      },
    },
    {
      path: '/members/:id',
      isConfirmed: true,
      submit: calling(updateMember, 'member_changed', (values) => filled(values, 'role', 'status')),
    },
  ],
});
