import Type from 'typebox';
import { memberStatuses } from '../../domain/accounts/member/members.ts';
import { memberRoles } from '../../domain/accounts/roles.ts';
import * as s from '../http/schema.ts';
import { roleWords } from './role-words.ts';

const role = () =>
  s.choice('MemberRole', memberRoles, {
    description:
      'What the member may do besides reading. ' +
      memberRoles.map((role) => `\`${role}\`: ${roleWords[role]}`).join('; '),
    examples: ['developer'],
  });

const name = () => s.text(100, { description: 'A name for people.', examples: ['Ada Obi'] });

export const createMemberBody = s.body('CreateMemberBody', {
  email: s.text(254, {
    format: 'email',
    description: 'E-mail address, with which the member signs in.',
    examples: ['ada@example.com'],
  }),
  name: Type.Optional(name()),
  role: role(),
});

export const updateMemberBody = s.body('UpdateMemberBody', {
  name: Type.Optional(name()),
  role: Type.Optional(role()),
  status: Type.Optional(
    s.choice('MemberStatusWanted', ['active', 'disabled'], {
      description: '`disabled`: signed out everywhere from the next request on.',
    }),
  ),
});

const fields = {
  object: s.kind('member'),
  id: s.id('mem'),
  email: s.string('E-mail address.', { examples: ['ada@example.com'] }),
  name: s.nullable(s.string('Name; null where none was given.', { examples: ['Ada Obi'] })),
  role: role(),
  status: s.choice('MemberStatus', memberStatuses, {
    description:
      'Current status. `invited`: has not set a password yet. `disabled`: may not sign in.',
    examples: ['active'],
  }),
  has_second_factor: Type.Boolean({
    description: 'True: the member signs in to the dashboard with a code of an authenticator app.',
    examples: [false],
  }),
  created_at: s.time('When the member was added.'),
};

export const member = s.object('Member', 'A person of the business.', fields);
export const members = s.listOf('MemberList', member, 'A page of members.');

/** The address is shown once. */
export const memberWithLink = s.object(
  'MemberWithLink',
  'A member with a link to set a password.',
  {
    ...fields,
    set_password_url: s.string(
      'Where the member sets a password, once and within a day. It is shown now and never again.',
      { examples: ['https://pay.example.com/set-password/one-time-secret'] },
    ),
  },
);
