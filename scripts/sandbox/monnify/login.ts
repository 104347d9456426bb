import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Endpoint, SandboxContext } from '../context.ts';
import type { Arrival, Caller } from '../records.ts';
import { handOutToken } from './access-tokens.ts';
import { ok, refusals, refuse } from './answers.ts';

const secretKey = { provider: 'monnify', part: 'secret key' } as const;
const token = { provider: 'monnify', part: 'token' } as const;

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
  arrival: Arrival | undefined,
): Promise<Caller | Answer> {
  if (!authorization) return Promise.resolve(refusals.unknownKey);
  return endpoint === login
    ? byKeys(context, authorization)
    : byToken(context, authorization, arrival);
}

async function byKeys(context: SandboxContext, authorization: string): Promise<Caller | Answer> {
  const encoded = /^Basic +([!-~]+)$/i.exec(authorization)?.[1] ?? '';
  const [, apiKey, value] =
    /^([!-9;-~]+):([!-~]+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  const caller =
    value && (await context.batched.findCaller({ ...secretKey, value, arrival: undefined }));
  return caller && caller.credentials.api_key === apiKey ? caller : refuse(401, '', 99);
}

async function byToken(
  context: SandboxContext,
  authorization: string,
  arrival: Arrival | undefined,
): Promise<Caller | Answer> {
  const value = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  const caller = value && (await context.batched.findCaller({ ...token, value, arrival }));
  if (!caller) return refuse(401, 'Cannot convert access token to json');
  return caller.tokenExpiresAt! > context.now() ? caller : refuse(401, 'Access token expired');
}
