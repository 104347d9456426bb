import { expect } from 'chai';
import { newCharge, openCharge } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { useDashboard } from './fixture.ts';

describe('A support person with a browser', () => {
  const dashboard = useDashboard();

  async function paidLate(email: string): Promise<string> {
    const { control, clock, settle } = dashboard.stack;
    const { reference } = await openCharge(dashboard.stack, { email });
    await control.pay(reference, { outcome: 'failed' });
    clock.advance(11 * SECOND);
    await settle();
    await control.pay(reference, { notify: false });
    clock.advance(HOUR + MINUTE);
    await settle();
    return reference;
  }

  it('finds a payer by e-mail and explains a late payment, with what the provider sent', async () => {
    const reference = await paidLate('ngozi.late@payer.example');
    const page = await dashboard.pageOf('viewer');
    await page.goto(dashboard.at('/'));
    await page.getByLabel('Search').fill('Ngozi.Late@payer.example');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: reference }).click();
    await page.getByRole('heading', { name: reference }).waitFor();
    await page.getByText('Recovered', { exact: true }).waitFor();
    const timeline = page.locator('#timeline li');
    expect(await timeline.count()).to.be.greaterThan(3);
    await page.getByRole('link', { name: 'What the provider sent' }).last().click();
    await page.getByRole('heading', { name: 'What the provider sent' }).waitFor();
    expect(await page.locator('pre').innerText()).to.include('success');
  });

  it('watches a charge being paid, without a reload and without losing their place', async () => {
    const { reference } = await openCharge(dashboard.stack);
    const page = await dashboard.pageOf('viewer');
    await page.goto(dashboard.at(`/transactions/${reference}`));
    const status = page.getByRole('status');
    await status.filter({ hasText: 'Pending' }).waitFor();
    await page.evaluate('window.isTheSame = true');
    await page.getByRole('button', { name: 'Copy the id' }).focus();
    await dashboard.stack.control.pay(reference);
    await dashboard.stack.settle();
    await status.filter({ hasText: 'Succeeded' }).waitFor();
    await page.getByText('Delivered', { exact: true }).waitFor();
    expect(await page.evaluate('window.isTheSame')).to.equal(true);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal(
      'Copy the id',
    );
  });

  it('filters without a reload; the address and the export follow, and Back goes back', async () => {
    await newCharge(dashboard.stack, { email: 'open@payer.example' });
    await paidLate('paid@payer.example');
    const page = await dashboard.pageOf('viewer');
    await page.goto(dashboard.at('/transactions'));
    await page.evaluate('window.isTheSame = true');
    const list = page.getByRole('region', { name: 'Transactions' });
    await list.getByText('open@payer.example').waitFor();
    await page.getByLabel('Status').selectOption('Succeeded');
    await list.getByText('open@payer.example').waitFor({ state: 'detached' });
    await list.getByText('paid@payer.example').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).to.equal('succeeded');
    const csv = page.getByRole('link', { name: 'Export CSV' });
    expect(await csv.getAttribute('href')).to.include('status=succeeded');
    expect(await page.evaluate('window.isTheSame'), 'without a reload').to.equal(true);
    await page.goBack();
    await list.getByText('open@payer.example').waitFor();
    expect(await page.getByLabel('Status').inputValue()).to.equal('');
  });
});
