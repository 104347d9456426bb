import { memberRoles } from '../../../domain/accounts/roles.ts';
import { removeTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { countSignIns, endSignInOf } from '../../../domain/accounts/session/list-sessions.ts';
import { findRefundRules } from '../../../domain/accounts/tenant/refund-rules.ts';
import { findInvitations, type Invitation } from '../../../domain/mail/find-invitations.ts';
import { createMember } from '../../members/create-member.ts';
import { createSetPasswordLink } from '../../members/create-set-password-link.ts';
import { getMember } from '../../members/get-member.ts';
import { listMembers } from '../../members/list-members.ts';
import { roleWords } from '../../members/role-words.ts';
import { updateMember } from '../../members/update-member.ts';
import { askToEnd, sessionsOf } from '../account/sessions.ts';
import { sentence } from '../format.ts';
import { calling, filled, showing } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { type DashboardRequest, type Question, view } from '../request.ts';

const LINK = ['email', 'set_password_url'];

/** What became of the mail with an invitation. */
const mailed: Record<Invitation['status'], string> = {
  pending: 'Waits to be mailed',
  sending: 'Waits to be mailed',
  sent: 'Mailed',
  refused: 'The mail server refused it',
  exhausted: 'Could not be mailed',
  cancelled: 'Not mailed',
};

export const membersView = view('members', {
  async load(request) {
    const { context, now } = request;
    const { rows, ...pages } = await listed(request, listMembers);
    const ids = rows.map(({ id }: { id: string }) => id);
    return {
      members: rows,
      signIns: await countSignIns(context.db, ids, now),
      invitations: await findInvitations(context.db, ids, now),
      ...{ mailed, sendsMail: context.mail !== null },
      ...{ roles: memberRoles, roleWords },
      ...pages,
      csvHref: csvHref(request, {}),
    };
  },
  forms: [
    {
      path: '/members',
      asksForCode: true,
      submit: showing('link', LINK, createMember, (values) => ({
        email: values.email,
        role: values.role,
        ...filled(values, 'name'),
      })),
    },
    {
      path: '/members/:id/link',
      asksForCode: true,
      submit: showing('link', LINK, createSetPasswordLink),
    },
    {
      // For a member who lost their authenticator and their recovery codes.
      path: '/members/:id/remove-authenticator',
      asksForCode: true,
      ask: (request) =>
        about(request, {
          title: 'Remove the authenticator?',
          consequence: 'Their password alone signs them in, until they set up another one.',
        }),
      async submit({ context, session, params: { id = '' } }) {
        await context.inTx((tx) => removeTotp(tx, session, id));
        return { notice: 'authenticator_removed' };
      },
    },
    {
      path: '/members/:id/role',
      asksForCode: true,
      ask: async (request) =>
        about(request, {
          title: 'Change the role?',
          consequence: `The new role holds from their next request on.${await lastPairOf(request)}`,
          fields: [
            {
              name: 'role',
              label: 'New role',
              options: Object.fromEntries(
                memberRoles.map((role) => [role, `${sentence(role)}: ${roleWords[role]}`]),
              ),
            },
          ],
        }),
      submit: calling(updateMember, 'member_changed', ({ role }) => ({ role })),
    },
    {
      path: '/members/:id/disable',
      asksForCode: true,
      ask: async (request) =>
        about(request, {
          title: 'Disable this member?',
          consequence:
            'They are signed out everywhere at once, and their links stop working. What they did ' +
            `stays on record. You can enable them again.${await lastPairOf(request)}`,
        }),
      submit: calling(updateMember, 'member_changed', () => ({ status: 'disabled' })),
    },
    {
      path: '/members/:id/enable',
      asksForCode: true,
      submit: calling(updateMember, 'member_changed', () => ({ status: 'active' })),
    },
  ],
});

export const memberView = view('members', {
  path: '/members/:id',
  title: 'Member',
  template: 'members/member',
  async load(request) {
    const member = await request.call(getMember, { params: request.params });
    return { member, sessions: await sessionsOf(request, member.id) };
  },
  forms: [
    {
      path: '/members/:id/sessions/:session/end',
      async ask(request) {
        const { call, params } = request;
        const { id, email } = await call(getMember, { params });
        const { facts, ...question } = await askToEnd(request, id, params.session!);
        return { ...question, facts: { Member: email, ...facts } };
      },
      async submit({ context, session: by, params: { id = '', session = '' } }) {
        await context.inTx((tx) => endSignInOf(tx, by, id, session));
        return { notice: 'session_ended' };
      },
    },
  ],
});

/** A warning where refunds need two Owners, of whom this member is one and one more is left. */
async function lastPairOf({ context, session, params: { id = '' } }: DashboardRequest) {
  const rules = await findRefundRules(context.db, session.tenantId);
  const { owners, requiresSecondPerson, twoOwnersAboveKobo } = rules;
  const needsTwo = requiresSecondPerson || twoOwnersAboveKobo !== null;
  return needsTwo && owners.length === 2 && owners.includes(id)
    ? ' One Owner will be left: refunds that need another wait until there is one, or until you ' +
        'change the rule under Business.'
    : '';
}

async function about({ call, params }: DashboardRequest, question: Question): Promise<Question> {
  const { email, name, role } = await call(getMember, { params });
  return {
    facts: { Member: email, ...(name && { Name: name }), Role: sentence(role) },
    ...question,
  };
}
