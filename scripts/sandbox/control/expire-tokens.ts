import type { Answer, SandboxContext } from '../context.ts';
import { expireTokens } from '../monnify/access-tokens.ts';
import { type ControlRoute, ok } from './route.ts';

/**
 * Ends every access token before its time: the next call with one is refused until its caller has
 * logged in again.
 */
export const expireAccessTokens: ControlRoute = {
  method: 'post',
  path: '/expire-tokens',
  fields: {},
  async handle({ sql, now }: SandboxContext): Promise<Answer> {
    return ok({ expired: await expireTokens(sql, now()) });
  },
};
