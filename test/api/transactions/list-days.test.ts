import { expect } from 'chai';
import { addCharges, type ChargeLike } from '../../support/charge-rows.ts';
import { newCharge, openCharge, stored } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

describe('GET /transactions by day', () => {
  const stack = useStack();

  async function tenantIn(timeZone: string): Promise<TestTenant> {
    const tenant = await stack.newTenant({ connected: false });
    await stack.sql`update tenants set time_zone = ${timeZone} where id = ${tenant.tenant_id}`;
    return tenant;
  }

  async function list(tenant: TestTenant, query: string): Promise<string[]> {
    const { json } = await stack.api.get(`/transactions?${query}`, { key: tenant.secret_key_test });
    return json.data.map(({ id }: { id: string }) => id);
  }

  async function namesOn(timeZone: string, likes: Record<string, ChargeLike>) {
    const tenant = await tenantIn(timeZone);
    const ids = await addCharges(stack, Object.values(likes), tenant);
    const names = new Map(ids.map((id, index) => [id, Object.keys(likes)[index]!]));
    return async (query: string) => (await list(tenant, query)).map((id) => names.get(id));
  }

  it('counts a charge on the day it was paid, not on the day it was created', async () => {
    const paid = { status: 'succeeded', channel: 'card' } as const;
    const on = await namesOn('Africa/Lagos', {
      'long before': {
        ...paid,
        createdAt: '2026-02-20T10:00:00Z',
        occurredAt: '2026-03-01T10:00:00Z',
      },
      'a moment before': {
        ...paid,
        createdAt: '2026-02-28T22:59:59.999Z',
        occurredAt: '2026-02-28T23:00:00.000Z',
      },
      'paid the same day': {
        ...paid,
        createdAt: '2026-02-28T22:59:00Z',
        occurredAt: '2026-02-28T22:59:59.999Z',
      },
      'unpaid the day before': { createdAt: '2026-02-28T22:58:00Z' },
      'of the day': {
        ...paid,
        createdAt: '2026-03-01T09:00:00Z',
        occurredAt: '2026-03-01T09:05:00Z',
      },
      'paid the day after': {
        ...paid,
        createdAt: '2026-03-01T22:00:00Z',
        occurredAt: '2026-03-01T23:00:00.000Z',
      },
      'over all of the day': {
        ...paid,
        createdAt: '2026-02-28T12:00:00Z',
        occurredAt: '2026-03-03T12:00:00Z',
      },
    });
    const ofTheDay = ['of the day', 'a moment before', 'long before'];
    expect(await on('from=2026-03-01&to=2026-03-01')).to.deep.equal(ofTheDay);
    expect(await on('from=2026-02-28&to=2026-02-28')).to.deep.equal([
      'paid the same day',
      'unpaid the day before',
    ]);
    expect(await on('from=2026-03-01')).to.deep.equal([
      'paid the day after',
      ...ofTheDay.slice(0, 2),
      'over all of the day',
      'long before',
    ]);
    expect(await on('to=2026-02-28')).to.deep.equal(['paid the same day', 'unpaid the day before']);
    expect(await on('from=2026-03-02&to=2026-03-02')).to.deep.equal(['paid the day after']);
    expect(await on('from=2026-03-03')).to.deep.equal(['over all of the day']);
  });

  it('counts a payment at the provider’s time', async () => {
    const charge = await openCharge(stack);
    stack.clock.advance(2 * DAY);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const { id, created_at, occurred_at } = await stored(stack, charge);
    expect(occurred_at.getTime() - created_at.getTime()).to.be.greaterThan(DAY);
    const dayOf = (instant: Date) =>
      new Date(instant.getTime() + 3_600_000).toISOString().slice(0, 10);
    expect(await list(stack.tenant, `from=${dayOf(occurred_at)}`)).to.include(id);
    expect(await list(stack.tenant, `to=${dayOf(created_at)}`)).not.to.include(id);
  });

  it('relies on charges being created in the millisecond of their ids', async () => {
    const { id, created_at } = await stored(stack, await newCharge(stack));
    const msecs = [...id.slice(4, 14)].reduce(
      (ms: number, digit: string) => ms * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit),
      0,
    );
    expect(new Date(msecs)).to.deep.equal(created_at);
    await stack.settle();
  });
});
