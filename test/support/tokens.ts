import { expect } from 'chai';
import type { Answer } from './api.ts';
import type { Stack } from './stack.ts';

/** What a sign-in or a refresh answers. */
export interface Pair {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

type Api = Pick<Stack, 'api'>;

/** Tries to sign in, as somebody with no credential. */
export function trySignIn(
  { api }: Api,
  who: { email: string; password: string },
  mode: string = 'test',
): Promise<Answer> {
  return api.post('/auth/token', { ...who, mode }, { key: null });
}

/** Signs in for good. */
export async function signIn(
  stack: Api,
  who: { email: string; password: string },
  mode: string = 'test',
): Promise<Pair> {
  const answer = await trySignIn(stack, who, mode);
  expect(answer.status, answer.text).to.equal(200);
  return answer.json;
}

export function refresh({ api }: Api, refreshToken: string): Promise<Answer> {
  return api.post('/auth/refresh', { refresh_token: refreshToken }, { key: null });
}

export function revoke({ api }: Api, refreshToken: string): Promise<Answer> {
  return api.post('/auth/revoke', { refresh_token: refreshToken }, { key: null });
}

/** The status with which a list every member may read is answered to this access token. */
export async function statusWith({ api }: Api, token: string): Promise<number> {
  return (await api.get('/charges?merchant_reference=none', { key: token })).status;
}
