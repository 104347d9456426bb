import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { expectNoLeaks, type Stack, startStack, withNewTenant } from '../../support/stack.ts';
import { addSettlement } from './given.ts';

describe('GET /settlements', () => {
  let shared: Stack;
  let stack: Stack;
  before(async () => {
    shared = await startStack({ workers: false });
  });
  after(() => shared[Symbol.asyncDispose]());
  beforeEach(async () => {
    stack = await withNewTenant(shared);
  });
  afterEach(() => expectNoLeaks(stack));

  const list = async (query: string, key?: string): Promise<string[]> => {
    const { json } = await stack.api.get(`/settlements?${query}`, key === undefined ? {} : { key });
    return json.data.map(({ id }: { id: string }) => id);
  };

  it('answers every field, null until it is known', async () => {
    const id = await addSettlement(stack, { expectedKobo: 500_000 });
    const answer = await stack.api.get(`/settlements/${id}`);
    expect(answer.status).to.equal(200);
    expectContractHeaders(answer, stack.tenant.tenant_id);
    const { created_at, ...rest } = answer.json;
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    expect(rest).to.deep.equal({
      object: 'settlement',
      id,
      provider: 'provider_a',
      status: 'expected',
      expected_date: null,
      expected_amount_kobo: 500_000,
      landed_amount_kobo: null,
      shortfall_kobo: null,
      gross_kobo: 0,
      fee_kobo: 0,
      refunds_kobo: 0,
      chargebacks_kobo: 0,
      transaction_count: 0,
      foreign_kobo: 0,
      foreign_count: 0,
      bank: null,
      landed_at: null,
      mode: 'test',
    });
  });

  it('shows what landed, where, and the shortfall', async () => {
    const landedAt = new Date('2026-03-03T08:15:00Z');
    const bank = { name: 'Zenith Bank', last4: '0042' };
    const landed = {
      expectedDate: '2026-03-03',
      bank,
      landedAt,
      feeKobo: 7_500,
      transactionCount: 3,
      slot: 'provider_b',
    };
    const short = await addSettlement(stack, {
      ...landed,
      status: 'short',
      expectedKobo: 500_000,
      landedKobo: 420_000,
    });
    const full = await addSettlement(stack, {
      ...landed,
      status: 'landed',
      expectedKobo: 500_000,
      landedKobo: 500_000,
    });
    const more = await addSettlement(stack, {
      ...landed,
      status: 'landed',
      expectedKobo: 500_000,
      landedKobo: 500_001,
    });
    expect((await stack.api.get(`/settlements/${short}`)).json).to.deep.include({
      status: 'short',
      provider: 'provider_b',
      expected_date: '2026-03-03',
      landed_amount_kobo: 420_000,
      shortfall_kobo: 80_000,
      fee_kobo: 7_500,
      transaction_count: 3,
      bank: { name: 'Zenith Bank', account_last4: '0042' },
      landed_at: '2026-03-03T08:15:00.000Z',
    });
    for (const id of [full, more])
      expect((await stack.api.get(`/settlements/${id}`)).json.shortfall_kobo).to.equal(0);
  });

  it('lists them newest first, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await addSettlement(stack));
    const first = (await stack.api.get('/settlements?limit=3')).json;
    expect(first.tenant_id).to.equal(stack.tenant.tenant_id);
    const second = (await stack.api.get(`/settlements?limit=3&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal(ids);
    expect(second).not.to.have.property('next_cursor');
    expect(second.data.at(-1)).to.deep.equal(
      (await stack.api.get(`/settlements/${ids.at(-1)}`)).json,
    );
  });

  it('filters by status, provider and expected date, both days included', async () => {
    const a = await addSettlement(stack, {
      status: 'landed',
      expectedDate: '2026-02-28',
      landedKobo: 1,
    });
    const b = await addSettlement(stack, {
      status: 'short',
      expectedDate: '2026-03-01',
      slot: 'provider_b',
      landedKobo: 1,
    });
    const c = await addSettlement(stack, {
      status: 'expected',
      expectedDate: '2026-03-02',
      slot: 'provider_b',
    });
    const d = await addSettlement(stack, { status: 'failed' });
    expect(await list('status=short')).to.deep.equal([b]);
    expect(await list('provider=provider_b')).to.deep.equal([c, b]);
    expect(await list('from=2026-03-01')).to.deep.equal([c, b]);
    expect(await list('to=2026-03-01')).to.deep.equal([b, a]);
    expect(await list('from=2026-03-01&to=2026-03-01')).to.deep.equal([b]);
    expect(
      await list('provider=provider_b&status=expected&from=2026-01-01&to=2026-12-31'),
    ).to.deep.equal([c]);
    expect(await list('status=failed')).to.deep.equal([d]);
    expect(await list('provider=provider_c')).to.deep.equal([]);
    expect(await list('')).to.deep.equal([d, c, b, a]);
  });

  it('names every invalid parameter', async () => {
    for (const [query, fields] of [
      ['status=settled', ['status']],
      ['provider=auto', ['provider']],
      ['from=2026-02-29', ['from']],
      ['to=2026-03-01T00:00:00Z', ['to']],
      ['from=2026-03-02&to=2026-03-01', ['from']],
      ['limit=0&cursor=', ['limit', 'cursor']],
      ['cursor=x', ['cursor']],
      ['channel=card', ['channel']],
    ] as const) {
      expectError(await stack.api.get(`/settlements?${query}`), 422, 'validation_failed', fields);
    }
  });

  it('finds nothing of another tenant, of the other mode, or by an id of another kind', async () => {
    const id = await addSettlement(stack);
    const live = await addSettlement(stack, { mode: 'live' });
    const other = await stack.newTenant({ connected: false });
    const { secret_key_test: key, secret_key_live: liveKey } = stack.tenant;
    expect(await list('')).to.deep.equal([id]);
    expect(await list('', liveKey)).to.deep.equal([live]);
    expect(await list('', other.secret_key_test)).to.deep.equal([]);
    for (const [name, caller] of [
      [id, other.secret_key_test],
      [id, liveKey],
      [live, key],
      [newId('stl', new Date()), key],
      [id.replace('stl_', 'txn_'), key],
      [`${id}%00`, key],
      ['%00', key],
    ] as const) {
      expectError(await stack.api.get(`/settlements/${name}`, { key: caller }), 404, 'not_found');
      expectError(
        await stack.api.get(`/settlements/${name}/transactions`, { key: caller }),
        404,
        'not_found',
      );
    }
  });

  it('is for secret keys and members of any role, not for public keys', async () => {
    const id = await addSettlement(stack);
    for (const role of ['owner', 'developer', 'viewer'] as const) {
      const { token } = await memberOf(stack, stack.tenant, role);
      for (const path of ['', `/${id}`, `/${id}/transactions`]) {
        expect(
          (await stack.api.get(`/settlements${path}`, { key: token })).status,
          `${role} ${path}`,
        ).to.equal(200);
      }
    }
    for (const path of ['', `/${id}`, `/${id}/transactions`]) {
      expectError(
        await stack.api.get(`/settlements${path}`, { key: stack.tenant.public_key_test }),
        403,
        'forbidden',
      );
    }
  });
});
