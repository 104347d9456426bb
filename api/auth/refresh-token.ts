import { refresh } from '../../domain/accounts/token/refresh.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { route } from '../http/route.ts';
import { pairReply } from './pair-reply.ts';
import { refreshTokenBody, tokenPair } from './schemas.ts';
import { countFailedRefresh, countRefresh } from './throttle.ts';

export const refreshToken = route({
  method: 'post',
  path: '/auth/refresh',
  operationId: 'refreshToken',
  summary:
    'Exchange a refresh token for the next pair. It can be exchanged once; ' +
    'using it again later ends the sign-in',
  credential: 'none',
  body: refreshTokenBody,
  answers: { 200: tokenPair },
  refusals: ['unauthorized', 'rate_limited'],
  async handle({ context, address, body }) {
    const { refresh_token: secret } = body;
    const isKnown = await countRefresh(context, { secret, address });
    const pair = isKnown && (await context.inTx((tx) => refresh(tx, secret)));
    if (pair) return pairReply(pair);
    await countFailedRefresh(context, address);
    throw new Problem(
      'unauthorized',
      'This refresh token is unknown, was used before, or its sign-in has ended. Sign in again.',
    );
  },
});
