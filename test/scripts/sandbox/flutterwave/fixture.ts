import { randomBytes } from 'node:crypto';
import {
  type Fixture,
  type FixtureOptions,
  newReference,
  openFixture,
  type Reply,
} from '../fixture.ts';

export interface FlutterwaveFixture extends Fixture {
  secretHash: string;
  flutterwave(method: string, path: string, body?: unknown, secretKey?: string): Promise<Reply>;
  link(fields?: object): Promise<{ reference: string; url: string }>;
  verified(reference: string): Promise<Reply['body']>;
}

export async function openFlutterwave(options: FixtureOptions = {}): Promise<FlutterwaveFixture> {
  const secretHash = randomBytes(12).toString('hex');
  const account = {
    provider: 'flutterwave',
    secret_key: newFlutterwaveKey(),
    secret_hash: secretHash,
    ...options.account,
  };
  const base = await openFixture({ ...options, account });
  const fixture: FlutterwaveFixture = Object.assign(base, {
    secretHash,
    flutterwave: (method: string, path: string, body?: unknown, key = base.secretKey) =>
      base.provider(method, path, body, key ? { authorization: `Bearer ${key}` } : {}),
    async link(fields = {}) {
      const order = {
        tx_ref: newReference(),
        amount: 5000,
        customer: { email: 'ada@example.com' },
        redirect_url: 'https://shop.example/',
      };
      const reply = await fixture.flutterwave('POST', '/payments', { ...order, ...fields });
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return { reference: { ...order, ...fields }.tx_ref, url: reply.body.data.link };
    },
    order: async (fields = {}) => (await fixture.link(fields)).reference,
    async sale(amountKobo = 500_000, action: object = {}) {
      const { reference } = await fixture.link({ amount: amountKobo / 100 });
      await fixture.control('POST', '/pay', { reference, outcome: 'success', ...action });
      await fixture.sandbox.idle();
      return reference;
    },
    verified: async (reference: string) =>
      (
        await fixture.flutterwave(
          'GET',
          `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`,
        )
      ).body.data,
  });
  return fixture;
}

export function newFlutterwaveKey(): string {
  return `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`;
}
