import { expect } from 'chai';
import type { Answer } from './api.ts';
import type { Stack } from './stack.ts';

export interface Pair {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

type Api = Pick<Stack, 'api'>;

export function trySignIn(
  { api }: Api,
  who: { email: string; password: string },
  mode: string = 'test',
): Promise<Answer> {
  return api.post('/auth/token', { ...who, mode }, { key: null });
}

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

export async function statusWith({ api }: Api, token: string): Promise<number> {
  return (await api.get('/charges?merchant_reference=none', { key: token })).status;
}
