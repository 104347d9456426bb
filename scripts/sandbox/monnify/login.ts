import type { IncomingHttpHeaders } from 'node:http';
import { accountOf, findAccount } from '../accounts.ts';
import type { Answer, Endpoint, SandboxContext } from '../context.ts';
import type { Account } from '../records.ts';
import { findToken, handOutToken } from './access-tokens.ts';
import { ok, refusals, refuse } from './answers.ts';

/** `POST /api/v1/auth/login`: the one call with the keys themselves. */
export const login: Endpoint = {
  method: 'post',
  path: '/api/v1/auth/login',
  async handle(context, { account }) {
    const { token, expiresAt } = await handOutToken(context, account);
    return ok({
      accessToken: token,
      expiresIn: Math.floor((expiresAt.getTime() - context.now().getTime()) / 1000),
    });
  },
};

/** Whose call it is, or why it is nobody's: the login shows the keys, every other call a token. */
export function identify(
  context: SandboxContext,
  { authorization }: IncomingHttpHeaders,
  endpoint: Endpoint,
): Promise<Account | Answer> {
  if (!authorization) return Promise.resolve(refusals.unknownKey);
  return endpoint === login ? byKeys(context, authorization) : byToken(context, authorization);
}

async function byKeys({ sql }: SandboxContext, authorization: string): Promise<Account | Answer> {
  const encoded = /^Basic +([!-~]+)$/i.exec(authorization)?.[1] ?? '';
  const [, apiKey, secretKey] =
    /^([!-9;-~]+):([!-~]+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  const account =
    secretKey === undefined ? undefined : await findAccount(sql, 'monnify', secretKey);
  return account && account.credentials.api_key === apiKey ? account : refuse(401, '', 99);
}

async function byToken(context: SandboxContext, authorization: string): Promise<Account | Answer> {
  const text = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  const token = text === undefined ? undefined : await findToken(context.sql, text);
  if (!token) return refuse(401, 'Cannot convert access token to json');
  return token.expiresAt > context.now()
    ? accountOf(context.sql, token)
    : refuse(401, 'Access token expired');
}
