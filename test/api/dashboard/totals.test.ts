import { expect } from 'chai';
import type { Interval } from '../../../domain/accounts/tenant/days.ts';
import { ANY_TIME } from '../../../domain/payments/charge/filter.ts';
import { totalOfCharges } from '../../../domain/payments/charge/list.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { DAY, dayInLagos } from '../../support/clock.ts';
import { dashboardMember, totalIn } from '../../support/dashboard.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { addDispute } from '../../support/disputes.ts';
import { newLink } from '../../support/payment-links.ts';
import { addPostings } from '../../support/postings.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('The count of a list in the dashboard, and its sum', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });

  it('is of what its filter shows', async () => {
    const paidOut = await addSettlement(stack, {
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
    for (const amount_kobo of [30_000, 40_000]) await newLink(stack, { amount_kobo });
    const disabled = await newLink(stack, { amount_kobo: 50_000 });
    await stack.api.post(`/payment-links/${disabled.id}/disable`);
    await stack.sql`update payment_links set expires_at = ${stack.clock()} where amount_kobo = 30000`;
    const differences = { slot: 'provider_a', day: '2026-01-05' } as const;
    await addDiscrepancy(stack, { ...differences, differenceKobo: 1_050, settlementId: paidOut });
    await addDiscrepancy(stack, { ...differences, differenceKobo: 2_000, day: '2026-01-07' });
    await addDiscrepancy(stack, { slot: 'provider_b', differenceKobo: 500 });
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
      ['/payment-links', '3 links, ₦1,200.00 asked'],
      ['/payment-links?status=active', '1 link, ₦400.00 asked'],
      ['/payment-links?status=expired', '1 link, ₦300.00 asked'],
      ['/payment-links?status=disabled', '1 link, ₦500.00 asked'],
      ['/payment-links?status=paid', '0 links, ₦0.00 asked'],
      ['/discrepancies', '3 discrepancies, ₦35.50 in differences'],
      ['/discrepancies?provider=provider_b', '1 discrepancy, ₦5.00 in differences'],
      ['/discrepancies?from=2026-01-06&to=2026-01-31', '1 discrepancy, ₦20.00 in differences'],
      [`/discrepancies?settlement=${paidOut}`, '1 discrepancy, ₦10.50 in differences'],
      ['/discrepancies?status=closed', '0 discrepancies, ₦0.00 in differences'],
    ];
    for (const [path, total] of totals)
      expect(totalIn((await viewer.get(path)).html), path).to.equal(total);
  });

  it('is exact of balance transactions, however many there are', async () => {
    await addPostings(stack);
    const today = dayInLagos(stack.clock());
    stack.clock.advance(2 * DAY);
    await addPostings(stack);
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const totals: [query: string, total: string][] = [
      ['', '8 transactions, −₦3,500.00 in all'],
      ['?type=refund', '2 transactions, −₦400.00 in all'],
      ['?account=bank', '2 transactions, ₦2,000.00 in all'],
      ['?provider=provider_b', '0 transactions, ₦0.00 in all'],
      [`?to=${today}`, '4 transactions, −₦1,750.00 in all'],
      [`?account=bank&from=${today}&to=${today}`, '1 transaction, ₦1,000.00 in all'],
      ['?from=2099-01-01', '0 transactions, ₦0.00 in all'],
    ];
    for (const [query, total] of totals) {
      const { html } = await viewer.get(`/balances/transactions${query}`);
      expect(totalIn(html), query).to.equal(total);
    }
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
