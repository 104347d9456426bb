import { memberStatuses } from '../../domain/accounts/member/members.ts';
import type { MemberRole } from '../../domain/accounts/roles.ts';
import { memberRoles } from '../../domain/accounts/roles.ts';
import { id, input, listOf, nullable, object, string, text, time } from '../http/schema.ts';

const role = { enum: memberRoles };

export const newMemberBody = input(['email', 'role'], {
  email: text(254, 'email'),
  name: text(100),
  role,
});

export interface NewMemberBody {
  email: string;
  name?: string;
  role: MemberRole;
}

const statusWanted = {
  description: '`disabled`: signed out everywhere from the next request on.',
  enum: ['active', 'disabled'],
};

export const memberChangeBody = input([], { name: text(100), role, status: statusWanted });

const fields = {
  object: { const: 'member' },
  id: id('mem'),
  email: string,
  name: nullable(string),
  role,
  status: {
    description: '`invited`: has not set a password yet. `disabled`: may not sign in.',
    examples: ['active'],
    enum: memberStatuses,
  },
  created_at: time,
};

export const member = object('Member', fields);
export const members = listOf(member);

/** With the address at which the member sets a password: shown once. */
export const memberWithLink = object('MemberWithLink', { ...fields, set_password_url: string });
