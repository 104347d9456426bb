import Type from 'typebox';
import { body, kind, mode, object, text } from '../http/schema.ts';

export const createTokenBody = body('CreateTokenBody', {
  email: text(254, {
    format: 'email',
    description: 'The member’s e-mail address.',
    examples: ['ada@example.com'],
  }),
  password: text(200, {
    description: 'The member’s password.',
    examples: ['correct horse battery staple'],
  }),
  mode: mode('`live` or `test`: what the tokens work with.'),
  tenant_id: Type.Optional(
    text(40, {
      description:
        'Required where the e-mail address and the password are right for several businesses: ' +
        'the one to sign in to.',
      examples: ['ten_01hzy3v7k2m4n6p8q0r2s4t6v8'],
    }),
  ),
  code: Type.Optional(
    text(40, {
      description:
        'Required of a member who has an authenticator: its current code, or a recovery code.',
      examples: ['123456'],
    }),
  ),
});

const REFRESH_TOKEN = `hrt_${'0123456789'.repeat(4)}`;

export const refreshTokenBody = body('RefreshTokenBody', {
  refresh_token: text(200, {
    description: 'The refresh token of the last pair.',
    examples: [REFRESH_TOKEN],
  }),
});

export const tokenPair = object('TokenPair', 'The tokens of a sign-in.', {
  access_token: Type.String({
    description: 'Send it as the bearer credential.',
    pattern: '^hat_[0-9a-z]{40}$',
    examples: [`hat_${'0123456789'.repeat(4)}`],
  }),
  refresh_token: Type.String({
    description: 'Exchange it once for the next pair.',
    pattern: '^hrt_[0-9a-z]{40}$',
    examples: [REFRESH_TOKEN],
  }),
  token_type: Type.Literal('Bearer', { description: 'How the access token is sent.' }),
  expires_in: Type.Integer({
    description: 'Seconds until the access token expires.',
    minimum: 0,
    examples: [900],
  }),
});

export const signedOut = object('SignedOut', 'The sign-in has ended.', {
  object: kind('signed_out'),
});
