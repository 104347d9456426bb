import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, complaintsOf, startBrowser } from '../support/browser.ts';
import { type Stack, startStack } from '../support/stack.ts';

const PHONE = { width: 360, height: 640 };

describe('A payer with a browser', () => {
  let stack: Stack;
  let browser: Browser | undefined;
  let page: Page;
  let complaints: string[];
  before(async function () {
    const path = chromiumPath();
    if (!path) this.skip();
    browser = await startBrowser(path);
    stack = await startStack();
  });
  after(async () => {
    await browser?.close();
    await stack?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    page = await browser!.newPage({ viewport: PHONE });
    complaints = complaintsOf(page);
  });
  afterEach(() => page?.close());

  const create = async (more: object = {}) =>
    (await stack.api.post('/charges', { amount_kobo: 1_250_050, email: 'ada@example.com', description: 'Two bags of rice', ...more })).json;
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

  it('is led to the provider, pays, sees that it was received and is led back to the merchant', async () => {
    const { checkout_url: url, reference } = await create({ return_url: `${stack.receiver.url}/thanks?order=7` });
    await page.goto(url);
    await page.waitForURL(`${stack.sandbox.url}/paystack/checkout/*`);
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    await heading('Payment received');
    expect(await page.getByText('₦12,500.50').isVisible()).to.equal(true);
    expect(await fits()).to.equal(true);
    await page.waitForURL(`${stack.receiver.url}/thanks?order=7&reference=${reference}&status=succeeded`);
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).to.deep.equal([]);
  });

  it('is told when the bank declines', async () => {
    const { checkout_url: url } = await create();
    await page.goto(url);
    await page.getByRole('button', { name: 'Decline' }).click();
    await heading('The payment did not go through');
    expect(await fits()).to.equal(true);
  });

  it('who comes back without paying waits, and can go on to pay', async () => {
    const { checkout_url: url, reference } = await create();
    await page.goto(url);
    await page.getByRole('link', { name: 'Return to the merchant' }).click();
    await heading('Waiting for confirmation');
    expect(await fits()).to.equal(true);
    await stack.control.pay(reference, { channel: 'bank_transfer' });
    await heading('Payment received');
  });

  it('needs no script: a link leads on', async () => {
    await using quiet = await browser!.newContext({ javaScriptEnabled: false });
    const { checkout_url: url } = await create();
    await stack.settle();
    const plain = await quiet.newPage();
    await plain.goto(url);
    await plain.getByRole('link', { name: 'Continue to payment' }).click();
    await plain.getByRole('button', { name: 'Pay successfully' }).click();
    await plain.getByRole('heading', { name: 'Payment received' }).waitFor();
  });
});
