import { expect } from 'chai';
import { connect } from '../../support/connect.ts';
import { expectContractHeaders, expectRefusal } from '../../support/contract.ts';
import { useStack } from '../../support/stack.ts';

const least = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('POST /charges', () => {
  const stack = useStack({ workers: false });

  it('answers 201 with every field of the checkout and no other', async () => {
    const { api, context, baseUrl, tenant } = stack;
    const created = await api.post('/charges', {
      ...least,
      amount_kobo: 250_000,
      reference: 'order 1/ä',
    });
    expect(created.status).to.equal(201);
    expectContractHeaders(created, tenant.tenant_id);
    const { id, reference, expires_at: expiresAt } = created.json;
    expect(created.json).to.deep.equal({
      object: 'checkout',
      id,
      reference,
      merchant_reference: 'order 1/ä',
      status: 'open',
      amount_kobo: 250_000,
      currency: 'NGN',
      checkout_url: `${baseUrl.replace(/\/v1$/, '')}/pay/${id}`,
      checkout_token: id,
      provider: 'provider_a',
      expires_at: expiresAt,
      mode: 'test',
      transaction: null,
    });
    expect(reference).to.match(/^SV-[1-9][0-9]{5,}$/);
    const inMs = Date.parse(expiresAt) - context.clock().getTime();
    expect(inMs / 3_600_000).to.be.closeTo(24, 0.01);
  });

  it('gives each charge its own number, ascending', async () => {
    const numbers: number[] = [];
    for (let made = 0; made < 3; made++)
      numbers.push(
        Number((await stack.api.post('/charges', least)).json.reference.slice('SV-'.length)),
      );
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers[0]).to.be.at.least(100_001);
  });

  it('shows everything the merchant sent once the charge is paid', async () => {
    const metadata = { 'cart.id/~': 7, note: '“ä” 🎉\n', gift: true, none: null, price: 12.5 };
    const { json } = await stack.api.post('/charges', {
      ...least,
      email: 'Ada@Example.com',
      name: 'Ada O.',
      phone: '0803 123 4567',
      metadata,
    });
    await stack.sql`update charges set status = 'succeeded'
      where number = ${json.reference.slice(3)}`;
    const { transaction } = (await stack.api.get(`/charges/${json.reference}`)).json;
    expect(transaction.customer).to.deep.equal({
      email: 'Ada@Example.com',
      name: 'Ada O.',
      phone: '+2348031234567',
    });
    expect(transaction.metadata).to.deep.equal(metadata);
  });

  it('stores a phone number in E.164', async () => {
    const numbers: [given: string, stored: string][] = [
      ['08031234567', '+2348031234567'],
      ['+234 803 123 4567', '+2348031234567'],
      ['2348031234567', '+2348031234567'],
      ['0803-123-4567', '+2348031234567'],
      ['8031234567', '+2348031234567'],
      ['+2340803 123 4567', '+2348031234567'],
      ['+44 20 7946 0958', '+442079460958'],
      ['+1 202-555-0143', '+12025550143'],
    ];
    for (const [given, stored] of numbers) {
      const { json } = await stack.api.post('/charges', { ...least, phone: given });
      const [row] = await stack.sql<{ phone: string }>`select phone from charges
        where number = ${json.reference.slice(3)}`;
      expect(row!.phone, given).to.equal(stored);
    }
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
    expect((await stack.api.post('/charges', { ...least, ...longest })).status).to.equal(201);
  });

  describe('chooses the provider', () => {
    it('that is first in order when none is named', async () => {
      const tenant = await stack.newTenant({ connected: false });
      await connect(stack, tenant.tenant_id, { slot: 'provider_a', position: 2 });
      await connect(stack, tenant.tenant_id, { slot: 'provider_c', position: 1 });
      const options = { key: tenant.secret_key_test };
      expect((await stack.api.post('/charges', least, options)).json.provider).to.equal(
        'provider_c',
      );
      expect(
        (await stack.api.post('/charges', { ...least, provider: 'auto' }, options)).json.provider,
      ).to.equal('provider_c');
      expect(
        (await stack.api.post('/charges', { ...least, provider: 'provider_a' }, options)).json
          .provider,
      ).to.equal('provider_a');
    });

    it('that is named, and no other: 422 no_provider when it is not connected', async () => {
      const { tenant_id: tenantId, secret_key_test: key } = await stack.newTenant({
        connected: false,
      });
      await connect(stack, tenantId);
      const refused = await expectRefusal(
        stack,
        () => stack.api.post('/charges', { ...least, provider: 'provider_b' }, { key }),
        'no_provider',
      );
      expectContractHeaders(refused, tenantId);
      expect(refused.json.error.message)
        .to.include('provider_b')
        .and.include('test mode')
        .and.include('An Owner connects it with POST /v1/connections');
    });

    it('of its own mode only: 422 no_provider in live, 201 once one is connected there', async () => {
      const { tenant_id: tenantId, secret_key_live: key } = await stack.newTenant();
      await expectRefusal(stack, () => stack.api.post('/charges', least, { key }), 'no_provider');
      await connect(stack, tenantId, { mode: 'live' });
      const created = await stack.api.post('/charges', least, { key });
      expect([created.status, created.json.mode]).to.deep.equal([201, 'live']);
    });
  });
});
