import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { paidCharge } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { useDashboard } from './fixture.ts';

describe('An Owner with a browser and the refund queue', () => {
  const dashboard = useDashboard();

  async function requestRefund(reason: string): Promise<string> {
    const { reference } = await paidCharge(dashboard.stack, { email: 'ada@payer.example' });
    const { status } = await dashboard.stack.api.post('/refunds', { reference, reason });
    expect(status).to.equal(202);
    return reference;
  }
  const refundOf = (page: Page, reference: string) =>
    page.getByRole('article').filter({ hasText: reference });
  async function letProviderRefund(): Promise<void> {
    await dashboard.stack.settle();
    await dashboard.stack.pass(3 * SECOND);
  }

  it('approves one and watches it complete, and rejects another with a reason', async () => {
    const [kept, refused] = [await requestRefund('Wrong size'), await requestRefund('No reason')];
    const page = await dashboard.pageOf('owner');
    await page.goto(dashboard.at('/refunds'));
    const approved = refundOf(page, kept);
    for (const text of [
      ...['Wrong size', 'ada@payer.example', 'Secret key …', 'Still refundable'],
      'Paystack sends all or part of a payment back, and deducts it from your next payouts.',
    ])
      expect(await approved.innerText()).to.include(text);
    await approved.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').filter({ hasText: 'The refund is approved' }).waitFor();
    await letProviderRefund();
    await approved.getByText('Completed', { exact: true }).waitFor(); // nobody reloads

    const rejected = refundOf(page, refused);
    await rejected.getByLabel('Reason for rejecting').fill('The ticket was used.');
    await rejected.getByRole('button', { name: 'Reject' }).click();
    await rejected.getByText('Rejected: The ticket was used.').waitFor();
    const { json } = await dashboard.stack.api.get(`/refunds?reference=${refused}`);
    expect(json.data[0]).to.include({
      status: 'rejected',
      rejection_reason: 'The ticket was used.',
    });
  });

  it('needs no script: a reload shows that it completed', async () => {
    const [kept, refused] = [await requestRefund('Wrong size'), await requestRefund('No reason')];
    const page = await dashboard.pageOf('owner', { javaScriptEnabled: false });
    await page.goto(dashboard.at('/refunds'));
    await refundOf(page, kept).getByRole('button', { name: 'Approve' }).click();
    await letProviderRefund();
    await page.reload();
    await refundOf(page, kept).getByText('Completed', { exact: true }).waitFor();
    await refundOf(page, refused).getByLabel('Reason for rejecting').fill('Used.');
    await refundOf(page, refused).getByRole('button', { name: 'Reject' }).click();
    await refundOf(page, refused).getByText('Rejected: Used.').waitFor();
  });

  it('approves with the keyboard alone', async () => {
    const reference = await requestRefund('Wrong size');
    const page = await dashboard.pageOf('owner');
    await page.goto(dashboard.at('/refunds'));
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    for (let press = 0; press < 60 && (await focused()) !== 'Approve'; press++)
      await page.keyboard.press('Tab');
    const outline = await page.evaluate(
      'getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).boxShadow',
    );
    expect(outline, 'the focus is visible').not.to.match(/^none(none)?$/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The refund is approved' }).waitFor();
    await refundOf(page, reference).waitFor();
  });
});
