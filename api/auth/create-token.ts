import type { Context } from '../../config/context.ts';
import type { MemberPassword } from '../../domain/accounts/member/member-passwords.ts';
import { businessesOf, signIn } from '../../domain/accounts/session/sign-in.ts';
import { invalid, Problem } from '../../domain/shared/problems.ts';
import { route } from '../http/route.ts';
import { pairReply } from './pair-reply.ts';
import { createTokenBody, tokenPair } from './schemas.ts';
import { throttleCode, throttleSignIn } from './throttle.ts';

export const createToken = route({
  method: 'post',
  path: '/auth/token',
  operationId: 'createToken',
  summary:
    'Sign a member in, in one mode: an access token for 15 minutes and a refresh token for 30 days',
  credential: 'none',
  body: createTokenBody,
  answers: { 200: tokenPair },
  refusals: ['unauthorized', 'rate_limited', 'invalid_state'],
  async handle({ context, address, body }) {
    const { email, password, code, tenant_id } = body;
    const proven = await throttleSignIn(context, { email, password, address });
    const member = await oneOf(context, proven, tenant_id);
    const begin = () => context.inTx((tx) => signIn(tx, member, body));
    const { memberId } = member;
    const pair = await (code === undefined
      ? begin()
      : throttleCode(context, { memberId, code, address }, begin));
    if (!pair) throw isWrong();
    return pairReply(pair);
  },
});

/** The member to sign in. Throws 401 when there is none, 422 when there are several. */
async function oneOf(
  { db }: Context,
  proven: readonly MemberPassword[],
  tenantId: string | undefined,
): Promise<MemberPassword> {
  const wanted = proven.filter((one) => tenantId === undefined || one.tenantId === tenantId);
  const [member] = wanted;
  if (!member) throw isWrong();
  if (wanted.length === 1) return member;
  const names = (await businessesOf(db, wanted)).map((one) => `${one.tenant_id} (${one.name})`);
  throw invalid({
    tenant_id: `is required: this password is right for several businesses: ${names.join(', ')}`,
  });
}

function isWrong(): Problem {
  return new Problem('unauthorized', 'The e-mail address or the password is wrong.');
}
