import { expect } from 'chai';
import { type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { unescaped } from '../../support/html.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

const textOf = (html: string) =>
  unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');

describe('The overview', () => {
  const stack = useStack({ workers: false, books: false });
  let viewer: DashboardBrowser;
  before(async () => {
    viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    await stack.sql`insert into daily_figures (tenant_id, mode, day, slot, channel, succeeded, failed,
        collected_kobo, fee_kobo, refunded_kobo)
      select ${stack.tenant.tenant_id}, 'test', day::date, slot, channel, paid, 0, kobo, 0, 0
      from (values ('2026-02-28', 'provider_a', 'card', 1, 100000), ('2026-03-01', 'provider_a', 'card', 1, 150000),
        ('2026-03-02', 'provider_b', 'bank_transfer', 2, 50000), ('2026-03-03', 'provider_b', 'ussd', 1, 700000))
        as given (day, slot, channel, paid, kobo)`;
  });

  const shown = async (query: string) => {
    const { status, html } = await viewer.get(`/${query}`);
    expect(status).to.equal(200);
    return textOf(html);
  };

  it('has the sums of any span with those of the span before, by provider and by channel', async () => {
    const text = await shown('?from=2026-03-01&to=2026-03-02');
    expect(text).to.include('Collected in 2 days ₦2,000.00 ₦1,000.00 before, +100.0 %');
    expect(text).to.match(
      /By provider .* 1 ₦1,500\.00 ₦1,000\.00 \+50\.0 % .* 2 ₦500\.00 ₦0\.00 –/,
    );
    expect(text).to.match(
      /By channel .* Card 1 ₦1,500\.00 ₦1,000\.00 .* Bank transfer 2 ₦500\.00 ₦0\.00 –/,
    );
    expect(text).not.to.include('USSD');
  });

  it('says beside the field that a span is none, and shows the last days', async () => {
    for (const query of [
      'from=2026-03-02&to=2026-03-01',
      'from=soon',
      'from=2024-01-01',
      'to=99999-01-01',
      'from=0001-01-01&to=0001-01-01',
    ]) {
      const text = await shown(`?${query}`);
      expect(text, query).to.include('From must be a day that is not after To');
      expect(text, query).to.include('Collected in 30 days');
    }
  });

  it('has what is expected in the bank, by day and provider, and what is late', async () => {
    const day = (days: number) =>
      new Date(stack.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const like = { slot: 'provider_b', transactionCount: 2 };
    for (const [days, kobo] of [
      [2, 300_000],
      [2, 50_000],
      [-3, 20_000],
    ] as const)
      await addSettlement(stack, { ...like, expectedDate: day(days), expectedKobo: kobo });
    const landed = { status: 'landed', landedKobo: 9_900, expectedKobo: 9_900 } as const;
    await addSettlement(stack, { ...landed, expectedDate: day(2) });
    const text = await shown('');
    const [, expected] = text.split('Expected in your bank');
    expect(expected).to.match(/Late \S+ ₦200\.00 2 .* ₦3,500\.00 4/);
    expect(expected).not.to.include('₦99.00');
  });
});

describe('The order of providers', () => {
  const stack = useStack({ workers: false, books: false });

  it('is changed by moving one up or down, the first on top', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const orderIn = ({ html }: { html: string }) =>
      [...html.matchAll(/id="title-(con_\w+)"/g)].map(([, id]) => id!);
    const before = orderIn(await owner.get('/providers'));
    expect(before.length).to.be.at.least(2);
    const [first, second, ...others] = before;
    expect((await owner.submit(`/providers/${second}/move`, { to: 'up' })).status).to.equal(303);
    expect(orderIn(await owner.get('/providers'))).to.deep.equal([second, first, ...others]);
    const stored = await stack.sql<{ id: string }>`select id from connections
      where tenant_id = ${stack.tenant.tenant_id} and mode = 'test' order by position`;
    expect(stored.map(({ id }) => id)).to.deep.equal([second, first, ...others]);
  });
});
