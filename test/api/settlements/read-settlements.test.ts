import { expect } from 'chai';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /settlements', () => {
  const stack = useStack({ workers: false, newTenants: true });

  it('answers every field, null until it is known', async () => {
    const id = await addSettlement(stack, { expectedKobo: 500_000 });
    const answer = await stack.api.get(`/settlements/${id}`);
    expect(answer.status).to.equal(200);
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

  it('filters by expected date, both days included', async () => {
    const days = ['2026-02-28', '2026-03-01', '2026-03-02'];
    const [a, b, c] = await Promise.all(
      days.map((expectedDate) => addSettlement(stack, { expectedDate })),
    );
    const none = await addSettlement(stack, { status: 'failed' });
    const list = async (query: string): Promise<string[]> => {
      const { json } = await stack.api.get(`/settlements?${query}`);
      return json.data.map(({ id }: { id: string }) => id);
    };
    expect(await list('from=2026-03-01')).to.have.members([c, b]);
    expect(await list('to=2026-03-01')).to.have.members([b, a]);
    expect(await list('from=2026-03-01&to=2026-03-01')).to.deep.equal([b]);
    expect(await list('')).to.have.members([none, c, b, a]);
  });
});
