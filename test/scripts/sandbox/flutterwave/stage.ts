import { randomBytes } from 'node:crypto';
import { newReference, openStage, type Reply, type Stage, type StageOptions } from '../stage.ts';

export interface FlutterwaveStage extends Stage {
  secretHash: string;
  /** Calls Flutterwave as the merchant, or with another key. */
  flutterwave(method: string, path: string, body?: unknown, secretKey?: string): Promise<Reply>;
  /** Issues a link and returns its tx_ref and address. */
  link(fields?: object): Promise<{ reference: string; url: string }>;
  /** What verify shows of a reference's newest attempt. */
  verified(reference: string): Promise<Reply['body']>;
}

/** A merchant at Flutterwave. `order` and `sale` speak of links there. */
export async function openFlutterwave(options: StageOptions = {}): Promise<FlutterwaveStage> {
  const secretHash = randomBytes(12).toString('hex');
  const account = {
    provider: 'flutterwave',
    secret_key: newFlutterwaveKey(),
    secret_hash: secretHash,
    ...options.account,
  };
  const base = await openStage({ ...options, account });
  const stage: FlutterwaveStage = Object.assign(base, {
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
      const reply = await stage.flutterwave('POST', '/payments', { ...order, ...fields });
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return { reference: { ...order, ...fields }.tx_ref, url: reply.body.data.link };
    },
    order: async (fields = {}) => (await stage.link(fields)).reference,
    async sale(amountKobo = 500_000, act: object = {}) {
      const { reference } = await stage.link({ amount: amountKobo / 100 });
      await stage.control('POST', '/pay', { reference, outcome: 'success', ...act });
      await stage.sandbox.idle();
      return reference;
    },
    verified: async (reference: string) =>
      (
        await stage.flutterwave(
          'GET',
          `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`,
        )
      ).body.data,
  });
  return stage;
}

export function newFlutterwaveKey(): string {
  return `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`;
}
