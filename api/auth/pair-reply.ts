import type { TokenPair } from '../../domain/accounts/token/tokens.ts';
import type { Reply } from '../http/route.ts';

/** The answer that hands a pair of tokens out. */
export function pairReply({ accessToken, refreshToken, expiresInMs }: TokenPair): Reply {
  const expires_in = Math.ceil(expiresInMs / 1000);
  return {
    status: 200,
    body: {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in,
    },
  };
}
