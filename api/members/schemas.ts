import { memberStatuses } from '../../domain/tenant/members.ts';
import type { MemberRole } from '../../domain/tenant/roles.ts';
import { memberRoles } from '../../domain/tenant/roles.ts';
import { id, input, listOf, nullable, object, string, text, time } from '../schema.ts';

const role = { enum: memberRoles };

export const newMemberBody = input(['email', 'role'], { email: text(254, 'email'), name: text(100), role });

export interface NewMemberBody {
  email: string;
  name?: string;
  role: MemberRole;
}

export const memberChangeBody = input([], { name: text(100), role, status: { enum: ['active', 'disabled'] } });

const fields = {
  object: { const: 'member' },
  id: id('mem'),
  email: string,
  name: nullable(string),
  role,
  status: { enum: memberStatuses },
  created_at: time,
};

export const member = object('Member', fields);
export const members = listOf(member);

/** With the address at which the member sets a password: shown once. */
export const memberWithLink = object('MemberWithLink', { ...fields, set_password_url: string });
