import { signOut } from '../../domain/accounts/token/refresh.ts';
import { route } from '../http/route.ts';
import { refreshTokenBody, signedOut } from './schemas.ts';
import { countFailedRefresh, countRefresh } from './throttle.ts';

export const revokeToken = route({
  method: 'post',
  path: '/auth/revoke',
  operationId: 'revokeToken',
  summary:
    'Sign out: every token of this sign-in is refused from the next request on. ' +
    'An unknown token gets the same answer',
  credential: 'none',
  body: refreshTokenBody,
  answers: { 200: signedOut },
  refusals: ['rate_limited'],
  async handle({ context, address, body }) {
    const { refresh_token: secret } = body;
    const isKnown = await countRefresh(context, { secret, address });
    if (!isKnown || !(await context.inTx((tx) => signOut(tx, secret))))
      await countFailedRefresh(context, address);
    return { status: 200, body: { object: 'signed_out' as const } };
  },
});
