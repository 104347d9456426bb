import { expect } from 'chai';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { fits, PHONE, WIDE } from '../../support/browser.ts';
import { newCharge, paidCharge } from '../../support/charges.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { startMerchantServer } from '../../support/merchant-server.ts';
import { press, saidIn, useDashboard } from './fixture.ts';

const EMAIL = 'adaeze.obi@shop.example';
const PASSWORD = 'correct horse battery';

describe('A developer with a browser', () => {
  const { stack, at, newPage, pageOf } = useDashboard();

  for (const javaScriptEnabled of [true, false]) {
    it(`makes a key, uses it, and revokes it${javaScriptEnabled ? '' : ', without scripts'}`, async () => {
      const page = await pageOf('developer', '/developers', { javaScriptEnabled });
      const keys = page.getByRole('region', { name: 'API keys in test mode' });
      await press(keys, 'Create key');
      if (javaScriptEnabled) await page.getByRole('dialog').waitFor();
      await page.getByLabel('Name').fill('Web shop');
      await press(page.locator('#question'), 'Create key');
      const shown = page.getByRole('status').getByText(/^svc_sk_test_/);
      const key = await shown.innerText();
      const use = async () => (await stack.api.get('/transactions', { key })).status;
      expect(await use()).to.equal(200);
      await stack.context.requestLog.flush();

      await page.goto(at('/developers'));
      expect(await page.content(), 'shown once').not.to.include(key);
      await press(keys, `Revoke the key …${key.slice(-4)}`);
      await page.getByLabel('Name of the key').fill('Web shop');
      await press(page, 'Confirm');
      await saidIn(page, 'The key is revoked.');
      expect(await use()).to.equal(401);
    });
  }

  it('rotates a key: the new one is shown, the old one works until the time that was chosen', async () => {
    const use = async (key: string) => (await stack.api.get('/transactions', { key })).status;
    const page = await pageOf('developer', '/developers/keys/new', { javaScriptEnabled: false });
    await press(page, 'Create key');
    const shown = page.getByRole('status').getByText(/^svc_sk_test_/);
    const old = await shown.innerText();
    await page.goto(at('/developers'));
    await press(page, `Rotate the key …${old.slice(-4)}`);
    await page.getByLabel('The old key works').selectOption('For an hour');
    await press(page, 'Confirm');
    const key = await shown.innerText();
    expect([await use(old), await use(key)]).to.deep.equal([200, 200]);
    await page.goto(at('/developers'));
    await page
      .getByRole('row')
      .filter({ hasText: `…${old.slice(-4)}` })
      .getByText('Works until')
      .waitFor();
    stack.clock.advance(HOUR);
    expect([await use(old), await use(key)]).to.deep.equal([401, 200]);
  });

  it('bounds a public key, is told which bound is wrong, and lifts them', async () => {
    const page = await pageOf('developer', '/developers/keys/new', { javaScriptEnabled: false });
    const least = page.getByLabel('Least amount');
    expect(await least.isVisible(), 'for a secret key').to.equal(false);
    await page.getByLabel('Public, for your web pages').check();
    await least.fill('500');
    await page.getByLabel('Description').fill('Donation');
    await press(page, 'Create key');
    await saidIn(page, 'svc_pk_test_');
    const made = await page
      .getByRole('status')
      .getByText(/^svc_pk_test_/)
      .innerText();
    await page.goto(at('/developers'));
    const keys = page.getByRole('region', { name: 'API keys in test mode' });
    await keys.getByText(made).waitFor();

    const bounds = () => keys.locator('details', { hasText: 'at least ₦500.00; “Donation”' });
    await bounds().locator('summary').click();
    await bounds().getByLabel('Greatest amount').fill('200');
    await press(bounds(), 'Save');
    const wrong = bounds().getByText(/Greatest amount must not be below/);
    await wrong.waitFor();
    expect(await bounds().getByLabel('Greatest amount').inputValue()).to.equal('200');
    for (const field of ['Least amount', 'Greatest amount', 'Description'])
      await bounds().getByLabel(field).fill('');
    await press(bounds(), 'Save');
    await saidIn(page, 'The key is changed.');
    expect(await bounds().count()).to.equal(0);
  });

  it('adds an endpoint, tests it, sees it fail, mends it, and sends the event again', async () => {
    await using server = await startMerchantServer(stack.clock);
    const page = await pageOf('developer', '/developers');
    await page.getByLabel('Address', { exact: true }).fill(server.url);
    await press(page, 'Add endpoint');
    await saidIn(page, 'whsec_');
    const row = page.getByRole('row').filter({ hasText: server.url });
    await press(row, 'Send test delivery');
    await saidIn(page, 'Your endpoint answered 200');

    server.answer = (response) => void response.writeHead(500).end('Out of order');
    await press(page, 'Send test delivery');
    await saidIn(page, 'Your endpoint answered 500');
    const { reference } = await paidCharge(stack);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    const delivery = page.getByRole('row').filter({ hasText: 'charge.succeeded' });
    expect(await delivery.innerText()).to.match(/Pending\s+1\s+500/);
    await page.setViewportSize({ ...WIDE, width: 800 });
    const { height } = (await delivery.getByRole('button').boundingBox())!;
    expect(height, 'its word in one line').to.be.lessThan(40);
    await page.setViewportSize(WIDE);
    await delivery.getByRole('link').click();
    await page.getByText('answered 500').waitFor();
    await page.getByText('Out of order').waitFor();
    const [sent] = server.arrivals.slice(-1);
    await page.getByText('What is sent').click();
    await page.getByText(`"reference": "${reference}"`).waitFor();
    await page.getByText('Headers, as your secrets sign them now').click();
    await page.getByText(String(sent!.headers['webhook-signature'])).waitFor();

    server.answer = (response) => void response.writeHead(200).end();
    server.arrivals.length = 0;
    await press(page, 'Resend');
    await page.getByText('Sent again for').waitFor();
    await stack.settle();
    await page.getByText('Delivered', { exact: true }).waitFor(); // nobody reloads
    await page.getByText('answered 200').waitFor();
    expect(server.arrivals.map(({ event }) => event.data.reference)).to.deep.equal([reference]);
  });

  it('switches the mode, and sees nothing of test in live, and all of it again in test', async () => {
    const { reference } = await newCharge(stack, { email: 'only.in.test@payer.example' });
    const page = await pageOf('owner', '/transactions');
    for (const isTest of [false, true]) {
      await page.getByRole('switch', { name: 'Test mode' }).click();
      await page.locator(`[role=switch][aria-checked=${isTest}]`).waitFor();
      await page.goto(at('/transactions'));
      const shown = (await page.locator('main').innerText()).includes(reference);
      expect(shown, `test mode: ${isTest}`).to.equal(isTest);
    }
  });

  const codeOf = (secret: string) =>
    generateSync({ secret, epoch: Math.floor(stack.clock().getTime() / 1_000) });

  async function signIn(page: Page): Promise<void> {
    await page.goto(at('/sign-in'));
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
  }
  const openMenu = (page: Page) => page.locator('summary', { hasText: 'Signed in as' }).click();

  it('who is invited sets a password by keyboard alone, after a first one that is refused', async () => {
    const invitation = await pageOf('owner', '/members');
    await invitation.getByLabel('E-mail address of the new member').fill(EMAIL);
    await invitation.getByLabel('Role', { exact: true }).selectOption('Developer');
    await press(invitation, 'Invite');
    const url = await invitation.getByRole('status').getByText(/^http/).innerText();

    const page = await newPage({ viewport: PHONE });
    await page.goto(url);
    expect(await page.getByLabel('E-mail address').inputValue()).to.equal(EMAIL);
    expect(await fits(page)).to.equal(true);
    await page.keyboard.type('too short'); // the field has the focus
    await page.keyboard.press('Enter');
    await page.getByText('Your password must have at least 12 characters.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).to.equal('');
    expect(await fits(page)).to.equal(true);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    expect(await fits(page)).to.equal(true);
    await page.goto(url);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await fits(page)).to.equal(true);
  });

  it('and then sets up an authenticator, and signs in again with its code', async () => {
    const page = await newPage();
    await signIn(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openMenu(page);
    await page.getByRole('link', { name: 'Your account' }).click();
    await press(page, 'Set up an authenticator');
    const secret = await page.getByText(/^[A-Z2-7]{16,}$/).innerText();
    await page.getByLabel('Authentication code').fill(codeOf(secret));
    await press(page, 'Confirm');
    await page.getByText('Keep these recovery codes').waitFor();
    await openMenu(page);
    await press(page, 'Sign out');

    await signIn(page);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByLabel('Authentication code').fill('000000');
    await press(page, 'Sign in');
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor();
    stack.clock.advance(MINUTE);
    await page.getByLabel('Authentication code').fill(codeOf(secret));
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
