import { input, mode, object, text } from '../http/schema.ts';

export const signInBody = input(['email', 'password', 'mode'], {
  email: text(254, 'email'),
  password: text(200),
  mode,
});

export interface SignInBody {
  email: string;
  password: string;
  mode: 'live' | 'test';
}

export const refreshTokenBody = input(['refresh_token'], { refresh_token: text(200) });

export interface RefreshTokenBody {
  refresh_token: string;
}

export const tokenPair = object('TokenPair', {
  access_token: { type: 'string', pattern: '^hat_[0-9a-z]{40}$' },
  refresh_token: { type: 'string', pattern: '^hrt_[0-9a-z]{40}$' },
  token_type: { const: 'Bearer' },
  expires_in: {
    type: 'integer',
    minimum: 0,
    description: 'Seconds for which the access token is good.',
    examples: [900],
  },
});

export const signedOut = object('SignedOut', { object: { const: 'signed_out' } });
