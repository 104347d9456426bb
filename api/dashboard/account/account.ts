import { changeMember } from '../../../domain/accounts/member/change-member.ts';
import { changePassword } from '../../../domain/accounts/member/change-password.ts';
import {
  type MemberPassword,
  newPasswordHash,
} from '../../../domain/accounts/member/member-passwords.ts';
import {
  confirmTotp,
  prepareTotp,
  removeTotp,
} from '../../../domain/accounts/second-factor/second-factor.ts';
import { totpUri } from '../../../domain/accounts/second-factor/totp.ts';
import { endSignIn } from '../../../domain/accounts/session/list-sessions.ts';
import { recordCode } from '../../../domain/accounts/session/session.ts';
import { invalid, Problem } from '../../../domain/shared/problems.ts';
import { throttleSignIn } from '../../auth/throttle.ts';
import { body, text } from '../../http/schema.ts';
import { checkerOf } from '../../http/validation.ts';
import { problemOfPassword } from '../../set-password/problem-of-password.ts';
import { qrOf } from '../qr.ts';
import { type DashboardRequest, view } from '../request.ts';
import { askToEnd, sessionsOf } from './sessions.ts';

export const accountView = view('account', {
  async load(request) {
    const { session, refused } = request;
    const sessions = await sessionsOf(request, session.memberId);
    const isEnrolling = !session.hasTotp && refused?.form.endsWith('/authenticator/confirm');
    return isEnrolling ? { sessions, enrolment: await enrolment(request) } : { sessions };
  },
  forms: [
    {
      path: '/account/name',
      async submit({ context, session: { memberId, tenantId }, values: { name } }) {
        checkName({ name });
        const change = { name: String(name).trim() };
        await context.inTx((tx) => changeMember(tx, { tenantId, memberId }, memberId, change));
        return { notice: 'name_changed' };
      },
    },
    {
      path: '/account/password',
      hasSecrets: true,
      async submit(request) {
        const { context, session, values } = request;
        const member = await proveMember(request, String(values.password));
        const problem = problemOfPassword(values.new_password);
        if (problem) throw invalid({ new_password: problem });
        const { db, passwordCost } = context;
        const password = String(values.new_password);
        const hash = await newPasswordHash(db, session.email, password, passwordCost);
        await context.inTx((tx) => changePassword(tx, member, hash, session.familyId));
        return { notice: 'password_changed' };
      },
    },
    {
      path: '/account/authenticator',
      submit: async (request) => ({ shown: { enrolment: await enrolment(request) } }),
    },
    {
      path: '/account/authenticator/confirm',
      async submit({ context, session, values: { code } }) {
        const recoveryCodes = await context.inTx(async (tx) => {
          const codes = await confirmTotp(tx, session, String(code));
          await recordCode(tx, session);
          return codes;
        });
        return { once: { recoveryCodes } };
      },
    },
    {
      path: '/account/authenticator/remove',
      asksForCode: true,
      async ask({ session }) {
        if (session.requiresSecondFactor)
          throw new Problem('invalid_state', 'Your business asks everybody for a second factor.');
        return {
          title: 'Remove your authenticator?',
          facts: { Account: session.email },
          consequence: 'Your password alone signs you in. Your recovery codes stop working.',
        };
      },
      async submit({ context, session }) {
        await context.inTx((tx) => removeTotp(tx, session, session.memberId));
        return { notice: 'authenticator_removed' };
      },
    },
    {
      path: '/account/sessions/:id/end',
      ask: (request) => askToEnd(request, request.session.memberId, request.params.id!),
      async submit({ context, session, params: { id = '' } }) {
        await context.inTx((tx) => endSignIn(tx, session, id));
        return { notice: 'session_ended' };
      },
    },
  ],
});

const checkName = checkerOf(
  body('OwnName', { name: text(100, { format: 'not-blank', description: 'A name for people.' }) }),
);

/** Guesses are counted by the session, so that who has only that learns no password. */
async function proveMember(
  { context, session, address }: DashboardRequest,
  password: string,
): Promise<MemberPassword> {
  const { email, memberId, familyId } = session;
  const device = { nonce: familyId, memberIds: [memberId] };
  const proven = await throttleSignIn(context, { email, password, address, device });
  const member = proven.find((one) => one.memberId === memberId);
  if (!member) throw invalid({ password: 'is wrong' });
  return member;
}

/** Nothing asks for the new authenticator's codes until one was given. */
async function enrolment({ context, session }: DashboardRequest) {
  const secret = await context.inTx((tx) => prepareTotp(tx, session));
  return { secret, qr: await qrOf(totpUri(secret, session)) };
}
