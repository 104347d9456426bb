import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { MINUTE } from '../../support/clock.ts';
import { useDashboard } from './fixture.ts';

const EMAIL = 'adaeze.obi@shop.example';
const PASSWORD = 'correct horse battery';

describe('A developer who is invited, with a browser', () => {
  const dashboard = useDashboard({ workers: false });

  const codeOf = (secret: string) =>
    generateSync({ secret, epoch: Math.floor(dashboard.stack.clock().getTime() / 1_000) });

  async function invite(): Promise<string> {
    const page = await dashboard.pageOf('owner');
    await page.goto(dashboard.at('/members'));
    await page.getByLabel('E-mail address of the new member').fill(EMAIL);
    await page.getByLabel('Role', { exact: true }).selectOption('Developer');
    await page.getByRole('button', { name: 'Invite' }).click();
    return page.getByRole('status').getByText(/^http/).innerText();
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(dashboard.at('/sign-in'));
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
  }

  it('sets a password, sets up an authenticator, and signs in again with its code', async () => {
    const url = await invite();
    const page = await dashboard.newPage();
    await page.goto(url);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();

    await signIn(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.locator('summary', { hasText: 'Signed in as' }).click();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Set up an authenticator' }).click();
    const secret = await page.getByText(/^[A-Z2-7]{16,}$/).innerText();
    await page.getByLabel('Authentication code').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Keep these recovery codes').waitFor();
    await page.locator('summary', { hasText: 'Signed in as' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await signIn(page);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByLabel('Authentication code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor();
    dashboard.stack.clock.advance(MINUTE);
    await page.getByLabel('Authentication code').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
