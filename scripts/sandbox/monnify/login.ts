import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { accountOf, findAccount } from '../accounts.ts';
import type { Endpoint, SandboxContext } from '../context.ts';
import type { AccessToken, Account } from '../records.ts';
import { post } from '../wire.ts';
import { ok, refuse } from './answers.ts';

const LIFE_SECONDS = 3_600;

/** `POST /api/v1/auth/login`: the same token until it expires, then a new one. */
export const login = post('/api/v1/auth/login', ({ store, now }, { account }) => {
  const { token, expiresAt } =
    store.token.find(`account ${account.id}`).find((known) => known.expiresAt > now()) ??
    store.token.add(newToken(account, now()));
  const expiresIn = Math.floor((expiresAt.getTime() - now().getTime()) / 1000);
  return ok({ accessToken: token, expiresIn });
});

/** It looks like the signed token it stands for; what makes it good is that it is kept. */
function newToken({ id, secretKey }: Account, now: Date): Omit<AccessToken, 'id'> {
  const expiresAt = new Date(now.getTime() + LIFE_SECONDS * 1000);
  const exp = Math.floor(expiresAt.getTime() / 1000);
  const claims = { sub: String(id), exp, jti: randomBytes(12).toString('hex') };
  const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', secretKey).update(unsigned).digest('base64url');
  return { token: `${unsigned}.${signature}`, accountId: id, expiresAt };
}

/** Whose call it is: the login shows the keys, every other call a token. */
export function identify(
  context: SandboxContext,
  { authorization }: IncomingHttpHeaders,
  endpoint: Endpoint,
): Account | undefined {
  if (!authorization) return undefined;
  return endpoint === login ? byKeys(context, authorization) : byToken(context, authorization);
}

function byKeys({ store }: SandboxContext, authorization: string): Account {
  const encoded = /^Basic +([!-~]+)$/i.exec(authorization)?.[1] ?? '';
  const [, apiKey, secretKey] =
    /^([!-9;-~]+):([!-~]+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  const account = secretKey ? findAccount(store, 'monnify', secretKey) : undefined;
  return account && account.credentials.api_key === apiKey ? account : refuse(401, '', 99);
}

/** An expired one is refused with another message than an unknown one. */
function byToken({ store, now }: SandboxContext, authorization: string): Account {
  const value = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  const token = store.token.first(`token ${value}`);
  if (!token) return refuse(401, 'Cannot convert access token to json');
  return token.expiresAt > now() ? accountOf(store, token) : refuse(401, 'Access token expired');
}
