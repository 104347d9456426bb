import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { formatNaira } from '../../../domain/shared/money.ts';
import { DAY } from '../../support/clock.ts';
import { openProviderAccount } from '../../support/provider-account.ts';
import { press, useDashboard } from './fixture.ts';

describe('A person who asks where the money is', () => {
  const { stack, pageOf } = useDashboard({ payouts: true });

  const figures = async (page: Page) => {
    await page.waitForLoadState();
    const rows = page.getByRole('table', { name: 'Paystack' }).locator('tr:has(td)');
    const cells = (await rows.all()).map(async (row) => (await row.innerText()).split('\t'));
    return Object.fromEntries(await Promise.all(cells));
  };
  const cellsOf = async (page: Page, table: string) => {
    await page.waitForLoadState();
    const rows = await page.getByRole('region', { name: table }).locator('tbody tr').all();
    return Promise.all(rows.map(async (row) => (await row.innerText()).split('\t').slice(0, 2)));
  };

  it('follows each figure to its postings, and each posting to its source, without scripts', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const yesterday = new Date(stack.clock().getTime() - DAY).toISOString().slice(0, 10);
    await account.payCharges(200_000, 350_050);
    const paidOut = await account.payOutAndReconcile({ short_by_kobo: 60_001 });

    const page = await pageOf('viewer', '', { javaScriptEnabled: false }, account.stack.tenant);
    await page.getByRole('link', { name: 'Balances', exact: true }).click();
    expect(await figures(page)).to.deep.equal({
      ...{ Collected: '₦5,500.50', 'Owed to payers': '₦0.00', Together: '₦5,500.50' },
      'Landed at your bank': formatNaira(paidOut.landed_kobo),
      'On the way to the bank': '₦0.00',
      ...{ 'In dispute': '₦0.00', Fees: formatNaira(paidOut.fee_kobo), Refunded: '₦0.00' },
      ...{ 'Lost in disputes': '₦0.00', Differences: '₦600.01' },
    });
    await page.getByText('A shortfall is under investigation until somebody').waitFor();
    await page.locator('.chart > svg').waitFor();

    await page.getByRole('link', { name: 'Differences', exact: true }).click();
    const missing = ['Missing, under investigation', '₦600.01'];
    expect(await cellsOf(page, 'Balance transactions')).to.deep.equal([missing]);
    await page.getByRole('link', { name: 'Settlement', exact: true }).click();
    const landed = ['Landed at your bank', formatNaira(paidOut.landed_kobo)];
    expect(await cellsOf(page, 'Money that moved')).to.deep.equal([landed, missing]);

    await page.goBack();
    await page.getByLabel('Figure').selectOption({ label: 'Collected' });
    await press(page, 'Filter');
    const paid = 'Paid by the customer';
    expect(await cellsOf(page, 'Balance transactions')).to.deep.equal([
      [paid, '₦3,500.50'],
      [paid, '₦2,000.00'],
    ]);
    await page.getByRole('link', { name: /^SV-/ }).last().click();
    expect((await cellsOf(page, 'Money that moved')).map(([what]) => what)).to.deep.equal([
      paid,
      'Fee of the provider',
    ]);

    await page.getByRole('link', { name: 'Balances', exact: true }).click();
    await page.getByLabel('At the end of').fill(yesterday);
    await press(page, 'Show');
    await page.getByText('No money had moved by then.').waitFor();
  });
});
