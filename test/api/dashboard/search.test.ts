import { expect } from 'chai';
import { newCharge, stored } from '../../support/charges.ts';
import { type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { useStack } from '../../support/stack.ts';

describe('The search of the dashboard', () => {
  const stack = useStack({ workers: false });
  let viewer: DashboardBrowser;
  before(async () => {
    viewer = await dashboardMember(stack, stack.tenant, 'viewer');
  });

  const search = (q: string) => viewer.get(`/search?${new URLSearchParams({ q })}`);

  it('leads to the transaction with a reference, ours or the merchant’s, and to its customer', async () => {
    const charge = await newCharge(stack, { reference: 'order@shop #7' });
    const { reference } = charge;
    const { id } = await stored(stack, charge);
    const leads: [words: string, to: string][] = [
      [reference, `/transactions/${reference}`],
      [reference.toLowerCase(), `/transactions/${reference}`],
      [id, `/transactions/${reference}`],
      [' order@shop #7 ', `/transactions/${reference}`],
      ['payer@example.com', '/transactions?customer=payer%40example.com'],
    ];
    for (const [words, to] of leads) expect((await search(words)).location, words).to.equal(to);
  });

  it('says that there is nothing, also by what is no e-mail address', async () => {
    for (const words of [
      '@',
      'a@',
      '@b',
      'nothing',
      'SV-999999999',
      `${'a'.repeat(300)}@b.example`,
    ]) {
      const page = await search(words);
      expect(page.status, words).to.equal(200);
      expect(page.html, words).to.include('Nothing in test mode goes by');
    }
  });
});
