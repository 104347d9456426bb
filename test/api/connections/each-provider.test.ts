import { randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import type { Credentials } from '../../../domain/shared/credentials.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

const providers = [
  {
    slot: 'provider_a',
    adapter: 'paystack',
    credentials: () => ({ secret_key: `sk_test_${hex(20)}` }),
    live: { secret_key: `sk_live_${hex(20)}` },
  },
  {
    slot: 'provider_b',
    adapter: 'flutterwave',
    credentials: () => ({ secret_key: `FLWSECK_TEST-${hex(16)}-X`, secret_hash: `hash-${hex(8)}` }),
    live: { secret_key: `FLWSECK-${hex(16)}-X` },
  },
  {
    slot: 'provider_c',
    adapter: 'monnify',
    credentials: () => ({
      api_key: `MK_TEST_${hex(5).toUpperCase()}`,
      secret_key: hex(16).toUpperCase(),
      contract_code: String(randomInt(1_000_000_000, 10_000_000_000)),
    }),
    live: { api_key: `MK_PROD_${hex(5).toUpperCase()}` },
  },
];

describe('A connection', () => {
  const stack = useStack({ workers: false });
  let owner: string;
  let liveOwner: string;
  before(async () => {
    for (const { adapter } of providers) {
      // The sandbox answers in test mode; nothing listens in live mode.
      stack.context.env.baseUrls[adapter] = {
        test: `${stack.sandbox.url}/${adapter}`,
        live: 'http://127.0.0.1:9',
      };
    }
  });
  beforeEach(async () => {
    const tenant = await stack.newTenant({ connected: false });
    owner = (await memberOf(stack, tenant, 'owner')).token;
    liveOwner = (await memberOf(stack, tenant, 'owner', 'live')).token;
  });

  const create = (provider: string, credentials: Credentials, key = owner) =>
    stack.api.post('/connections', { provider, credentials }, { key });

  for (const { slot, adapter, credentials: newCredentials, live } of providers) {
    describe(`to ${adapter}`, () => {
      it('is created with its own credentials, which are shown masked', async () => {
        const credentials = newCredentials();
        await stack.control.openAccount({ provider: adapter, ...credentials });
        const { status, json, text } = await create(slot, credentials);
        expect(status).to.equal(201);
        expect(json).to.include({ provider: slot, adapter, sandbox: false });
        expect(json.credentials).to.have.all.keys(...Object.keys(credentials));
        for (const value of Object.values<string>(credentials)) expect(text).not.to.include(value);
        const path = `/connections/${json.id}/check`;
        expect((await stack.api.post(path, undefined, { key: owner })).json.ok).to.equal(true);
      });

      it('calls the address of its mode', async () => {
        const credentials = { ...newCredentials(), ...live };
        await expectRefusal(stack, () => create(slot, credentials, liveOwner), 'unavailable');
      });
    });
  }
});
