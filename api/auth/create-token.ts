import { provePassword, signIn } from '../../domain/accounts/session/sign-in.ts';
import { Problem } from '../../domain/shared/problems.ts';
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
    const pair = await throttleSignIn(context, { email: body.email, address }, async () => {
      const proven = await provePassword(context.db, body, context.passwordCost);
      if (!proven) return undefined;
      const begin = () => context.transaction((tx) => signIn(tx, proven, body));
      return body.code === undefined ? begin() : throttleCode(context, proven.memberId, begin);
    });
    if (!pair) throw new Problem('unauthorized', 'The e-mail address or the password is wrong.');
    return pairReply(pair);
  },
});
