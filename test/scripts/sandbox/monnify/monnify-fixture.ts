import { randomBytes } from 'node:crypto';
import {
  type Fixture,
  type FixtureOptions,
  newReference,
  openFixture,
  type Reply,
} from '../fixture.ts';
import type { Json } from '../json.ts';

export const contractCode = '4934121693';

export interface MonnifyFixture extends Fixture {
  apiKey: string;
  /** Logs in with these keys, or the merchant's own. */
  login(apiKey?: string, secretKey?: string): Promise<Reply>;
  monnify(method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  init(fields?: object): Promise<Json>;
  /**
   * Opens a payment of an amount in naira, has it paid by transfer and returns the answer to its
   * creation.
   */
  pay(amount?: number, action?: object): Promise<Json>;
  query(paymentReference: string): Promise<Json>;
}

export interface Keys {
  apiKey: string;
  secretKey: string;
}

export function newKeys(): Keys {
  return {
    apiKey: `MK_TEST_${randomBytes(5).toString('hex').toUpperCase()}`,
    secretKey: randomBytes(16).toString('hex').toUpperCase(),
  };
}

export function basic(apiKey: string, secretKey: string): string {
  return `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
}

export function order(fields: object = {}) {
  return {
    ...{ amount: 5000, customerName: 'Ada Obi', customerEmail: 'ada@example.com' },
    ...{ paymentReference: newReference(), paymentDescription: 'Two bags of rice' },
    ...{ currencyCode: 'NGN', contractCode, redirectUrl: 'https://shop.example/done?cart=1' },
    ...fields,
  };
}

export async function openMonnify(options: Pick<FixtureOptions, 'random'> = {}) {
  const { apiKey, secretKey } = newKeys();
  const keys = { api_key: apiKey, secret_key: secretKey, contract_code: contractCode };
  const account = { provider: 'monnify', ...keys };
  const base = await openFixture({ ...options, account });
  let lastToken = '';
  const fixture: MonnifyFixture = Object.assign(base, {
    apiKey,
    async login(key = apiKey, secret = secretKey) {
      const reply = await base.provider('POST', '/api/v1/auth/login', undefined, {
        authorization: basic(key, secret),
      });
      if (reply.status === 200 && key === apiKey) lastToken = reply.body.responseBody.accessToken;
      return reply;
    },
    monnify(method: string, path: string, body?: unknown, token = lastToken) {
      return base.provider(method, path, body, token ? { authorization: `Bearer ${token}` } : {});
    },
    async init(fields: object = {}) {
      const path = '/api/v1/merchant/transactions/init-transaction';
      const reply = await fixture.monnify('POST', path, order(fields));
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return reply.body.responseBody;
    },
    async pay(amount = 5000, action: object = {}) {
      const opened = await fixture.init({ amount });
      const paid = { reference: opened.paymentReference, outcome: 'success' };
      await fixture.control('POST', '/pay', { ...paid, channel: 'bank_transfer', ...action });
      await fixture.sandbox.idle();
      return opened;
    },
    async query(paymentReference: string) {
      const path = `/api/v2/merchant/transactions/query?paymentReference=${paymentReference}`;
      return (await fixture.monnify('GET', path)).body.responseBody;
    },
  });
  await fixture.login();
  return fixture;
}
