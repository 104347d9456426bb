import { Agent, request } from 'undici';
import type { Slot } from '../../domain/shared/slot.ts';
import { type Order, wires } from './life-floor-wire.ts';

/** An account of a merchant at the sandbox. */
export interface FloorAccount {
  id: string;
  adapter: string;
  /** With the name of the provider. */
  baseUrl: string;
  credentials: Record<string, string>;
}

export interface FloorMerchant {
  key: string;
  tenantId: string;
  accounts: Record<Slot, FloorAccount>;
  webhook: { url: string; secret: string };
}

export type FloorCalls = ReturnType<typeof openCalls>;

/** What the floor asks others, each once, on connections that are kept alive. */
export function openCalls() {
  const dispatcher = new Agent();
  const tokens = new Map<FloorAccount, Promise<string>>();

  async function post(url: string, headers: Record<string, string>, body: string) {
    return textOf(url, await request(url, { dispatcher, method: 'POST', headers, body }));
  }

  async function logIn({ baseUrl, credentials }: FloorAccount): Promise<string> {
    const keys = Buffer.from(`${credentials.api_key}:${credentials.secret_key}`);
    const authorization = `Basic ${keys.toString('base64')}`;
    const answer = await post(`${baseUrl}/api/v1/auth/login`, { authorization }, '');
    return JSON.parse(answer).responseBody.accessToken;
  }

  /** Monnify's tokens live longer than a bench. */
  function tokenOf(account: FloorAccount): Promise<string> | string | undefined {
    if (account.adapter !== 'monnify') return account.credentials.secret_key;
    if (!tokens.has(account)) tokens.set(account, logIn(account));
    return tokens.get(account);
  }

  async function headersOf(account: FloorAccount) {
    const authorization = `Bearer ${await tokenOf(account)}`;
    return { authorization, 'content-type': 'application/json' };
  }

  return {
    post,
    /** Returns the link. */
    async createPayment(account: FloorAccount, order: Order, callbackUrl: string) {
      const { createPath, creation, linkIn } = wires[account.adapter]!;
      const body = JSON.stringify(creation(order, callbackUrl, account.credentials));
      return linkIn(await post(`${account.baseUrl}${createPath}`, await headersOf(account), body));
    },
    async verify(account: FloorAccount, notification: string) {
      const { verifyPath, paymentIn } = wires[account.adapter]!;
      const url = `${account.baseUrl}${verifyPath(notification)}`;
      const headers = await headersOf(account);
      const verified = await textOf(url, await request(url, { dispatcher, headers }));
      return { verified, payment: paymentIn(verified) };
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

async function textOf(url: string, answer: Awaited<ReturnType<typeof request>>): Promise<string> {
  const text = await answer.body.text();
  if (answer.statusCode < 300) return text;
  throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
}
