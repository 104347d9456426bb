import { expect } from 'chai';
import { formatNaira } from '../../../domain/shared/money.ts';
import { DAY } from '../../support/clock.ts';
import { openProviderAccount } from '../../support/provider-account.ts';
import { press, useDashboard } from './fixture.ts';

describe('An Owner with a browser and a settlement that is short', () => {
  const { stack, pageOf } = useDashboard({ payouts: true });

  it('sees on a payment that it is not paid out yet, then on which day it should be, and when that is over', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const [charge] = await account.payCharges(200_000);
    const open = () =>
      pageOf('owner', `/transactions/${charge!.reference}`, {}, account.stack.tenant);
    const page = await open();
    await page.getByText('Not paid out yet').waitFor();
    await account.reconcile();
    await page.reload();
    await page.getByText(/^Expected \d/).waitFor();
    stack.clock.advance(3 * DAY);
    await (await open()).getByText(/^Was expected \d/).waitFor();
  });

  it('reads it to the kobo and closes the discrepancy', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    await account.payCharges(200_000, 350_050);
    const paidOut = await account.payOutAndReconcile({ short_by_kobo: 60_001 });

    const page = await pageOf('owner', '/settlements', {}, account.stack.tenant);
    const row = page.getByRole('row').filter({ hasText: 'Short' });
    expect(await row.innerText()).to.include('₦600.01');
    await row.getByRole('link').click();
    const table = page.getByRole('table', { name: 'How the amount is made' });
    const sums = async () => {
      await page.waitForLoadState();
      const lines = (await table.locator('tr').all()).map(async (line) => [
        await line.locator('th').innerText(),
        await line.locator('td').innerText(),
      ]);
      return Object.fromEntries(await Promise.all(lines));
    };
    expect(await sums()).to.include({
      'Paid by customers, 2 transactions': '₦5,500.50',
      Fees: `−${formatNaira(paidOut.fee_kobo)}`,
      Expected: formatNaira(paidOut.landed_kobo + 60_001),
      Landed: formatNaira(paidOut.landed_kobo),
      Missing: '₦600.01',
      Refunds: '₦0.00',
      Chargebacks: '₦0.00',
      'Under investigation': '₦600.01',
      'Explained by a person': '₦0.00',
    });
    const settlement = page.url();

    await page.getByRole('link', { name: 'Short', exact: true }).click();
    await press(page, 'Close');
    await page.getByLabel('Why it is accepted as it is').fill('The bank took a fee.');
    await press(page, 'Confirm');
    await page.getByText('The bank took a fee.').waitFor();
    expect(await account.discrepancies('open')).to.deep.equal([]);
    const [closed] = await account.discrepancies('closed');
    expect(closed).to.include({ kind: 'short', close_reason: 'The bank took a fee.' });
    await page.goto(settlement);
    expect(await sums()).to.include({
      Missing: '₦600.01',
      'Under investigation': '₦0.00',
      'Explained by a person': '₦600.01',
    });
  });
});
