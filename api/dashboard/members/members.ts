import { memberRoles } from '../../../domain/accounts/roles.ts';
import { removeTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { createMember } from '../../members/create-member.ts';
import { createSetPasswordLink } from '../../members/create-set-password-link.ts';
import { listMembers } from '../../members/list-members.ts';
import { updateMember } from '../../members/update-member.ts';
import { filledFields, nextPage } from '../filters.ts';
import type { Form, View } from '../request.ts';

/** The people of the business. */
export const membersView: View = {
  path: '/members',
  title: 'Members',
  template: 'members/members',
  section: 'members',
  permission: 'manage members',
  async load({ call, query }) {
    const page = await call(listMembers, { query: filledFields(query, ['cursor']) });
    return {
      members: page.data,
      roles: memberRoles,
      nextHref: nextPage('/members', {}, page.next_cursor),
    };
  },
};

export const inviteMemberForm: Form = {
  path: '/members',
  view: membersView,
  permission: 'manage members',
  isConfirmed: true,
  async submit({ call, values }) {
    const { email, name, role } = values;
    const invited = await call(createMember, { body: { email, role, ...(name ? { name } : {}) } });
    return { shown: { link: invited } };
  },
};

export const newLinkForm: Form = {
  path: '/members/:id/link',
  view: membersView,
  permission: 'manage members',
  isConfirmed: true,
  async submit({ call, params: { id = '' } }) {
    return { shown: { link: await call(createSetPasswordLink, { params: { id } }) } };
  },
};

export const changeMemberForm: Form = {
  path: '/members/:id',
  view: membersView,
  permission: 'manage members',
  isConfirmed: true,
  async submit({ call, params: { id = '' }, values: { role, status } }) {
    const body = { ...(role ? { role } : {}), ...(status ? { status } : {}) };
    await call(updateMember, { params: { id }, body });
    return { to: '/members', notice: 'member_changed' };
  },
};

/** For a member who lost their authenticator and their recovery codes. */
export const removeAuthenticatorForm: Form = {
  path: '/members/:id/remove-authenticator',
  view: membersView,
  permission: 'manage members',
  isConfirmed: true,
  async submit({ context, session, params: { id = '' } }) {
    await context.inTx((tx) => removeTotp(tx, session, id));
    return { to: '/members', notice: 'authenticator_removed' };
  },
};
