import type { TokenPair } from '../../domain/accounts/token/tokens.ts';
import { rememberSecret } from '../middleware/look-up-secret.ts';

export function pairReply({ accessToken, refreshToken, expiresInMs }: TokenPair) {
  rememberSecret(refreshToken);
  const expires_in = Math.ceil(expiresInMs / 1000);
  return {
    status: 200,
    body: {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer' as const,
      expires_in,
    },
  };
}
