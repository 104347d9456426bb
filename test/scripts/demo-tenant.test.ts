import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoTenant } from '../../scripts/local/demo-tenant.ts';
import { registerSandboxAccounts } from '../../scripts/sandbox-tenant.ts';
import { type Stack, startStack } from '../support/stack.ts';

describe('The demo tenant', () => {
  let stack: Stack;
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-demo-'));
    stack = await startStack({
      workers: false,
      env: { slots: { provider_a: 'paystack', provider_b: null, provider_c: null } },
    });
  });
  after(async () => {
    await stack[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true });
  });

  const found = () =>
    demoTenant(stack.context, join(dir, 'demo-tenant.json'), `${stack.receiver.url}/webhooks`);
  const connections = (tenantId: string) =>
    stack.sql`select mode, slot, adapter, sandbox, position from connections
      where tenant_id = ${tenantId} order by slot`;

  it('has a sandbox connection in test mode for every slot with a provider, those that got one later too, and none in live', async () => {
    const first = await found();
    const paystack = {
      ...{ mode: 'test', slot: 'provider_a', adapter: 'paystack', sandbox: true, position: 0 },
    };
    expect(await connections(first.tenant_id)).to.deep.equal([paystack]);
    Object.assign(stack.context.env.slots, { provider_b: 'flutterwave', provider_c: 'monnify' });
    for (const time of ['second', 'third']) {
      expect(await found(), `the ${time} start keeps the keys`).to.deep.equal(first);
      expect(await connections(first.tenant_id)).to.deep.equal([
        paystack,
        { ...paystack, slot: 'provider_b', adapter: 'flutterwave', position: 1 },
        { ...paystack, slot: 'provider_c', adapter: 'monnify', position: 2 },
      ]);
    }
    await registerSandboxAccounts(stack.context);
  });

  it('can be charged through each of them', async () => {
    const { secret_key_test: key } = await found();
    const charge = (fields: object) =>
      stack.api.post(
        '/charges',
        { amount_kobo: 250_000, email: 'ada@example.com', ...fields },
        { key },
      );
    for (const provider of ['provider_a', 'provider_b', 'provider_c']) {
      const { status, json } = await charge({ provider });
      expect([status, json.provider]).to.deep.equal([201, provider]);
    }
    expect((await charge({})).json.provider).to.equal('provider_a');
  });
});
