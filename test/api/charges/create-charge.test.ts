import { expect } from 'chai';
import { connect, disconnectAll } from '../../support/connect.ts';
import { expectContractHeaders, expectRefusal } from '../../support/contract.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const least = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('POST /charges', () => {
  const stack = useStack({ workers: false, newTenants: true });

  const create = (more: object = {}, options: { key?: string; idempotencyKey?: string } = {}) =>
    stack.api.post('/charges', { ...least, ...more }, options);
  const columnOf = async (column: string, { reference }: { reference: string }) => {
    const number = reference.slice('SV-'.length);
    const [row] = await stack.sql`select * from charges where number = ${number}`;
    return row[column];
  };

  it('answers 201 with every field of the checkout and no other', async () => {
    const created = await create({ amount_kobo: 250_000, reference: 'order 1/ä' });
    expect(created.status).to.equal(201);
    expectContractHeaders(created, stack.tenant.tenant_id);
    const { id, reference, expires_at, ...rest } = created.json;
    expect(rest).to.deep.equal({
      ...{ object: 'checkout', merchant_reference: 'order 1/ä', status: 'open', mode: 'test' },
      ...{ amount_kobo: 250_000, currency: 'NGN', provider: 'provider_a', transaction: null },
      ...{ checkout_url: `${stack.origin}/pay/${id}`, checkout_token: id },
    });
    expect(reference).to.match(/^SV-[1-9][0-9]{5,}$/);
    const inMs = Date.parse(expires_at) - stack.context.clock().getTime();
    expect(inMs / 3_600_000).to.be.closeTo(24, 0.01);
  });

  it('gives each charge its own number, ascending', async () => {
    const numbers: number[] = [];
    for (let made = 0; made < 3; made++)
      numbers.push(Number((await create()).json.reference.slice('SV-'.length)));
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers[0]).to.be.at.least(100_001);
  });

  it('keeps everything the merchant sent, which the paid charge shows', async () => {
    const metadata = { 'cart.id/~': 7, note: '“ä” 🎉\n', gift: true, none: null, price: 12.5 };
    const customer = { email: 'Ada@Example.com', name: 'Ada O.', phone: '0803 123 4567' };
    const { json } = await create({ ...customer, metadata });
    await stack.sql`update charges set status = 'succeeded'
      where number = ${json.reference.slice(3)}`;
    const { transaction } = (await stack.api.get(`/charges/${json.reference}`)).json;
    expect(transaction.customer).to.deep.equal({ ...customer, phone: '+2348031234567' });
    expect(transaction.metadata).to.deep.equal(metadata);
  });

  it('stores a phone number in E.164', async () => {
    for (const [phone, stored] of Object.entries({
      ...{ '08031234567': '+2348031234567', '+234 803 123 4567': '+2348031234567' },
      ...{ '2348031234567': '+2348031234567', '0803-123-4567': '+2348031234567' },
      ...{ '8031234567': '+2348031234567', '+2340803 123 4567': '+2348031234567' },
      ...{ '+44 20 7946 0958': '+442079460958', '+1 202-555-0143': '+12025550143' },
    }))
      expect(await columnOf('phone', (await create({ phone })).json), phone).to.equal(stored);
  });

  it('accepts every text at its greatest length, counted in characters', async () => {
    const longest = {
      name: '🎉'.repeat(100),
      reference: 'r'.repeat(100),
      description: 'ä'.repeat(500),
      return_url: `https://shop.example/${'a'.repeat(2048 - 21)}`,
      metadata: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`${index}`.padStart(40, 'k'), 'v'.repeat(500)]),
      ),
    };
    expect((await create(longest)).status).to.equal(201);
  });

  describe('chooses the provider', () => {
    it('that is first in order when none is named', async () => {
      const { tenant_id, secret_key_test: key } = await stack.newTenant({ connected: false });
      await connect(stack, tenant_id, { slot: 'provider_a', position: 2 });
      await connect(stack, tenant_id, { slot: 'provider_c', position: 1 });
      for (const [wanted, provider] of [
        [{}, 'provider_c'],
        [{ provider: 'auto' }, 'provider_c'],
        [{ provider: 'provider_a' }, 'provider_a'],
      ] as const)
        expect((await create(wanted, { key })).json.provider).to.equal(provider);
    });

    it('that is named, of its own mode, and no other: 422 no_provider until it is connected', async () => {
      const { tenant_id, secret_key_test, secret_key_live } = await stack.newTenant({
        connected: false,
      });
      await connect(stack, tenant_id);
      const [named, live] = [{ provider: 'provider_b' }, { key: secret_key_live }];
      const refuse = () => create(named, { key: secret_key_test });
      const refused = await expectRefusal(stack, refuse, 'no_provider');
      expectContractHeaders(refused, tenant_id);
      expect(refused.json.error.message)
        .to.include('provider_b')
        .and.include('test mode')
        .and.include('An Owner connects it with POST /v1/connections');
      await expectRefusal(stack, () => create({}, live), 'no_provider');
      await connect(stack, tenant_id, { mode: 'live' });
      const created = await create({}, live);
      expect([created.status, created.json.mode]).to.deep.equal([201, 'live']);
    });
  });

  describe('with an Idempotency-Key', () => {
    it('is scoped to one tenant and mode', async () => {
      const other = await stack.newTenant();
      await connect(stack, other.tenant_id, { mode: 'live' });
      const keys = [stack.tenant.secret_key_test, other.secret_key_test, other.secret_key_live];
      const once = { idempotencyKey: 'order-4' };
      const ids = new Set<string>();
      for (const key of keys) ids.add((await create({}, { key, ...once })).json.id);
      expect(ids.size).to.equal(3);
      const changed = () => create({ name: 'B' }, { key: keys[2]!, ...once });
      await expectRefusal(stack, changed, 'idempotency_conflict');
    });

    it('is case-sensitive', async () => {
      const keys = ['order-5', 'Order-5', 'order-5 x', '~!@#$%^&*()_+{}|:"<>?', 'k'.repeat(120)];
      const made = await Promise.all(keys.map((idempotencyKey) => create({}, { idempotencyKey })));
      expect(new Set(made.map(({ json }) => json.id)).size).to.equal(keys.length);
    });

    it('may be used again after no_provider, and is remembered after the provider is disconnected', async () => {
      const { tenant_id, secret_key_test: key } = await stack.newTenant({ connected: false });
      const once = { key, idempotencyKey: 'order-7' };
      await expectRefusal(stack, () => create({}, once), 'no_provider');
      await connect(stack, tenant_id);
      const first = await create({}, once);
      await disconnectAll(stack, tenant_id);
      const again = await writingNothing(stack, () => create({}, once));
      expect([again.status, again.text]).to.deep.equal([201, first.text]);
      await expectRefusal(stack, () => create({ name: 'B' }, once), 'idempotency_conflict');
    });

    it('accepts one of forty simultaneous requests with different bodies', async () => {
      const before = await stack.count('charges');
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          create({ amount_kobo: 20_000 + index }, { idempotencyKey: 'order-11' }),
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
        const request = { method: 'POST', path: '/v1/charges', body: JSON.stringify(least) };
        const send = () => rawRequest(stack, { ...request, headers });
        await expectRefusal(stack, send, 'validation_failed', ['Idempotency-Key']);
      }
    });
  });
});
