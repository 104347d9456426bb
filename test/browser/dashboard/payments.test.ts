import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { newCharge, openCharge, paidCharge } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { focused, press, saidIn, useDashboard } from './fixture.ts';

describe('With a browser', () => {
  const { stack, pageOf } = useDashboard();

  async function paidLate(email: string): Promise<string> {
    const { reference } = await openCharge(stack, { email });
    await stack.control.pay(reference, { outcome: 'failed' });
    stack.clock.advance(11 * SECOND);
    await stack.settle();
    await stack.control.pay(reference, { notify: false });
    stack.clock.advance(HOUR + MINUTE);
    await stack.settle();
    return reference;
  }
  async function requestRefund(reason: string): Promise<string> {
    const { reference } = await paidCharge(stack, { email: 'ada@payer.example' });
    expect((await stack.api.post('/refunds', { reference, reason })).status).to.equal(202);
    return reference;
  }
  const refundOf = (page: Page, reference: string) =>
    page.getByRole('article').filter({ hasText: reference });
  async function letProviderRefund(): Promise<void> {
    await stack.settle();
    await stack.pass(3 * SECOND);
  }

  it('a support person finds a payer by e-mail and explains a late payment, with what the provider sent', async () => {
    const reference = await paidLate('ngozi.late@payer.example');
    const page = await pageOf('viewer', '/');
    await page.getByLabel('Search').fill('Ngozi.Late@payer.example');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: reference }).click();
    await page.getByRole('heading', { name: reference }).waitFor();
    await page.getByText('Recovered', { exact: true }).waitFor();
    expect(await page.locator('#timeline li').count()).to.be.greaterThan(3);
    await page.getByRole('link', { name: 'What the provider sent' }).last().click();
    await page.getByRole('heading', { name: 'What the provider sent' }).waitFor();
    expect(await page.locator('pre').innerText()).to.include('success');
  });

  it('a viewer watches a charge being paid, without a reload and without losing their place', async () => {
    const { reference } = await openCharge(stack);
    const page = await pageOf('viewer', `/transactions/${reference}`);
    await saidIn(page, 'Pending');
    await page.evaluate('window.isTheSame = true');
    await page.getByRole('button', { name: 'Copy the id' }).focus();
    await stack.control.pay(reference);
    await stack.settle();
    await saidIn(page, 'Succeeded');
    await page.getByText('Delivered', { exact: true }).waitFor();
    expect(
      await page.evaluate('[window.isTheSame, document.activeElement.getAttribute("aria-label")]'),
    ).to.deep.equal([true, 'Copy the id']);
  });

  it('a viewer filters without a reload; the address and the export follow, and Back goes back', async () => {
    await newCharge(stack, { email: 'open@payer.example' });
    await paidLate('paid@payer.example');
    const page = await pageOf('viewer', '/transactions');
    await page.evaluate('window.isTheSame = true');
    const list = page.getByRole('region', { name: 'Transactions' });
    await list.getByText('open@payer.example').waitFor();
    await page.getByText('Status: Any').click();
    await page.getByLabel('Succeeded').check();
    await list.getByText('open@payer.example').waitFor({ state: 'detached' });
    await list.getByText('paid@payer.example').waitFor();
    await page.waitForURL('**/transactions?*status=succeeded*');
    const csv = page.getByRole('link', { name: 'Export CSV' });
    await csv.and(page.locator('[href*="status=succeeded"]')).waitFor();
    expect(await page.evaluate('window.isTheSame'), 'without a reload').to.equal(true);
    await page.goBack();
    await list.getByText('open@payer.example').waitFor();
    expect(await page.getByLabel('Succeeded').isChecked()).to.equal(false);
  });

  it('a viewer types a day too late: it is said beside the field, and the list stays', async () => {
    await newCharge(stack, { email: 'stays@payer.example' });
    const page = await pageOf('viewer', '/transactions');
    await page.evaluate('window.isTheSame = true');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No transactions match these filters.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2020-01-02');
    await page.getByText('From must not be after the last day.').waitFor();
    await page.getByLabel('Amount in naira').fill('a lot');
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByText('Amount in naira must be an amount in naira').waitFor();
    await page.getByText('stays@payer.example').waitFor();
    expect(await page.getByText('From must not be after the last day.').count()).to.equal(0);
    expect(await page.evaluate('window.isTheSame'), 'without a reload').to.equal(true);
  });

  it('an Owner approves a refund and watches it complete, and rejects another with a reason', async () => {
    const [kept, refused] = [await requestRefund('Wrong size'), await requestRefund('No reason')];
    const page = await pageOf('owner', '/refunds');
    const approved = refundOf(page, kept);
    for (const text of [
      ...['Wrong size', 'ada@payer.example', 'Secret key …', 'Still refundable'],
      'Paystack sends all or part of a payment back, and deducts it from your next payouts.',
    ])
      expect(await approved.innerText()).to.include(text);
    await press(approved, 'Approve');
    await page.getByRole('link', { name: 'Go back' }).click();
    await press(approved, 'Approve');
    await page.getByRole('button', { name: 'Confirm' }).dblclick();
    await saidIn(page, 'The refund is approved');
    expect(await page.getByRole('alert').count(), 'pressed twice, sent once').to.equal(0);
    await letProviderRefund();
    await approved.getByText('Completed', { exact: true }).waitFor(); // nobody reloads

    const rejected = refundOf(page, refused);
    await press(rejected, 'Reject');
    await page.getByLabel('Reason for rejecting').fill('The ticket was used.');
    await press(page, 'Confirm');
    await rejected.getByText('Rejected: The ticket was used.').waitFor();
    const { data } = (await stack.api.get(`/refunds?reference=${refused}`)).json;
    const decided = { status: 'rejected', rejection_reason: 'The ticket was used.' };
    expect(data[0]).to.include(decided);
  });

  it('an Owner decides refunds without scripts: a reload shows that one completed', async () => {
    const [kept, refused] = [await requestRefund('Wrong size'), await requestRefund('No reason')];
    const page = await pageOf('owner', '/refunds', { javaScriptEnabled: false });
    await press(refundOf(page, kept), 'Approve');
    await press(page, 'Confirm');
    await letProviderRefund();
    await page.reload();
    await refundOf(page, kept).getByText('Completed', { exact: true }).waitFor();
    await press(refundOf(page, refused), 'Reject');
    await page.getByLabel('Reason for rejecting').fill('Used.');
    await press(page, 'Confirm');
    await refundOf(page, refused).getByText('Rejected: Used.').waitFor();
  });

  it('an Owner approves a refund with the keyboard alone', async () => {
    const reference = await requestRefund('Wrong size');
    const page = await pageOf('owner', '/refunds');
    for (let tabs = 0; tabs < 60 && (await focused(page)) !== 'Approve'; tabs++)
      await page.keyboard.press('Tab');
    const outline = await page.evaluate(
      '(({ outlineStyle, boxShadow }) => outlineStyle + boxShadow)(getComputedStyle(document.activeElement))',
    );
    expect(outline, 'the focus is visible').not.to.match(/^none(none)?$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Approve this refund?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page), 'the focus is back').to.equal('Approve');
    await page.keyboard.press('Enter');
    await page.locator('#question-title:focus').waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Confirm');
    await page.keyboard.press('Enter');
    await saidIn(page, 'The refund is approved');
    await refundOf(page, reference).waitFor();
  });
});
