import { expect } from 'chai';
import type { Interval } from '../../../domain/accounts/tenant/days.ts';
import { ANY_TIME } from '../../../domain/payments/charge/filter.ts';
import { totalOfCharges } from '../../../domain/payments/charge/list.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { dashboardMember, totalIn } from '../../support/dashboard.ts';
import { addDispute } from '../../support/disputes.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('The count of a list in the dashboard, and its sum', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });

  it('is of what its filter shows', async () => {
    await addSettlement(stack, {
      status: 'landed',
      landedKobo: 400_000,
      expectedDate: '2026-01-03',
    });
    await addSettlement(stack, { status: 'short', landedKobo: 50_000, expectedDate: '2026-01-05' });
    await addDispute(stack);
    const charge = await newCharge(stack);
    await putCharge(stack, charge, 'succeeded');
    const { reference } = charge;
    for (const amount_kobo of [10_000, 20_050]) {
      const asked = await stack.api.post('/refunds', { reference, amount_kobo, reason: 'No fit.' });
      expect(asked.status).to.equal(202);
    }
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const totals: [path: string, total: string][] = [
      ['/settlements', '2 settlements, ₦4,500.00 landed'],
      ['/settlements?status=short', '1 settlement, ₦500.00 landed'],
      ['/settlements?provider=provider_b', '0 settlements, ₦0.00 landed'],
      ['/settlements?from=2026-01-04', '1 settlement, ₦500.00 landed'],
      ['/settlements?to=2026-01-04', '1 settlement, ₦4,000.00 landed'],
      ['/refunds?status=all', '2 refunds, ₦300.50'],
      ['/refunds?status=failed', '0 refunds, ₦0.00'],
      ['/disputes', '1 dispute, ₦1,000.00'],
      ['/disputes?status=won', '0 disputes, ₦0.00'],
    ];
    for (const [path, total] of totals)
      expect(totalIn((await viewer.get(path)).html), path).to.equal(total);
  });

  it('of transactions is not of all where more had to be read than may be', async () => {
    const [first, second, third] = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));
    const late = { createdAt: first!, occurredAt: third!, amountKobo: 200_000 };
    await addCharges(stack, [{ createdAt: first!, amountKobo: 100_000 }, late]);
    const reader = { tenantId: stack.tenant.tenant_id, mode: 'test' } as const;
    const total = (occurred: Interval, most: number) =>
      totalOfCharges(stack.context.db, reader, { occurred }, most);
    const before = { start: null, end: second! };
    const one = { count: 1, amountKobo: 100_000 };
    expect(await total(before, 2)).to.deep.equal({ ...one, isWhole: true, most: 2 });
    expect(await total(before, 1)).to.deep.equal({ ...one, isWhole: false, most: 1 });
    const since = { start: second!, end: null };
    expect(await total(since, 1), 'created before').to.deep.equal({
      ...{ count: 1, amountKobo: 200_000, isWhole: true, most: 1 },
    });
    expect((await total(ANY_TIME, 2)).amountKobo).to.equal(300_000);
  });
});
