import { expect } from 'chai';
import { connect, disconnectAll } from '../../support/connect.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const body = {
  amount_kobo: 10_000,
  email: 'ada@example.com',
  name: 'Ada',
  metadata: { cart: 7, gift: true },
};

describe('POST /charges with an Idempotency-Key', () => {
  const stack = useStack({ workers: false });

  it('is scoped to one tenant and mode', async () => {
    const other = await stack.newTenant();
    await connect(stack, other.tenant_id, { mode: 'live' });
    const keys = [stack.tenant.secret_key_test, other.secret_key_test, other.secret_key_live];
    const ids = new Set<string>();
    for (const key of keys)
      ids.add((await stack.api.post('/charges', body, { key, idempotencyKey: 'order-4' })).json.id);
    expect(ids.size).to.equal(3);
    expectRefused(
      await stack.api.post(
        '/charges',
        { ...body, name: 'B' },
        { key: keys[2]!, idempotencyKey: 'order-4' },
      ),
      'idempotency_conflict',
    );
  });

  it('is case-sensitive', async () => {
    const keys = ['order-5', 'Order-5', 'order-5 x', '~!@#$%^&*()_+{}|:"<>?', 'k'.repeat(120), '5'];
    const made = await Promise.all(
      keys.map((idempotencyKey) => stack.api.post('/charges', body, { idempotencyKey })),
    );
    expect(new Set(made.map(({ json }) => json.id)).size).to.equal(keys.length);
  });

  it('can be used again after no_provider', async () => {
    const tenant = await stack.newTenant({ connected: false });
    const options = { key: tenant.secret_key_test, idempotencyKey: 'order-7' };
    await expectRefusal(stack, () => stack.api.post('/charges', body, options), 'no_provider');
    await connect(stack, tenant.tenant_id);
    expect((await stack.api.post('/charges', body, options)).status).to.equal(201);
  });

  it('is remembered after the provider is disconnected', async () => {
    const tenant = await stack.newTenant();
    const options = { key: tenant.secret_key_test, idempotencyKey: 'order-8' };
    const first = await stack.api.post('/charges', body, options);
    await disconnectAll(stack, tenant.tenant_id);
    const again = await writingNothing(stack, () => stack.api.post('/charges', body, options));
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    expectRefused(
      await stack.api.post('/charges', { ...body, name: 'B' }, options),
      'idempotency_conflict',
    );
  });

  it('accepts one of forty simultaneous requests with different bodies', async () => {
    const before = await stack.count('charges');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stack.api.post(
          '/charges',
          { ...body, amount_kobo: 20_000 + index },
          { idempotencyKey: 'order-11' },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(39);
    expect(await stack.count('charges')).to.equal(before + 1);
  });

  it('is refused under its own name when it is not 1 to 120 printable ASCII characters', async () => {
    for (const value of ['', 'k'.repeat(121), 'a\tb', 'clé']) {
      const headers = {
        authorization: `Bearer ${stack.tenant.secret_key_test}`,
        'content-type': 'application/json',
        'idempotency-key': value,
      };
      const request = { method: 'POST', path: '/v1/charges', headers, body: JSON.stringify(body) };
      await expectRefusal(stack, () => rawRequest(stack, request), 'validation_failed', [
        'Idempotency-Key',
      ]);
    }
  });
});
