import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, complaintsOf, startBrowser } from '../support/browser.ts';
import { chargesOf, newLink } from '../support/payment-links.ts';
import { type Stack, startStack } from '../support/stack.ts';

const PHONE = { width: 360, height: 640 };

describe('A payer with a payment link and a browser', () => {
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

  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  const pay = () => page.getByRole('button', { name: 'Pay ₦12,500.50' }).click();

  it('says who they are, is led to the checkout, pays, and finds the link paid', async () => {
    const link = await newLink(stack);
    await page.goto(link.url);
    expect(await fits()).to.equal(true);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Your name').fill('Ada Obi');
    await pay();
    await page.waitForURL(`${stack.sandbox.url}/paystack/checkout/*`);
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    await heading('Payment received');
    await page.goto(link.url);
    await heading('This has been paid');
    expect(await fits()).to.equal(true);
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).to.deep.equal([]);
    expect((await chargesOf(stack, link))[0]).to.include({ email: 'ada@example.com', name: 'Ada Obi' });
  });

  it('is told beside the field what is wrong, with the cursor there and the rest kept', async () => {
    const link = await newLink(stack);
    await page.goto(link.url);
    await page.getByLabel('Your name').fill('Ada Obi');
    await page.getByLabel('E-mail address').fill('ada@example');
    await pay();
    const email = page.getByRole('textbox', { name: 'E-mail address', description: 'Enter an e-mail address like name@example.com.' });
    await email.waitFor();
    expect(await email.inputValue()).to.equal('ada@example');
    expect(await page.getByLabel('Your name').inputValue()).to.equal('Ada Obi');
    expect(await email.evaluate((field) => field === field.ownerDocument.activeElement)).to.equal(true);
    expect(await fits()).to.equal(true);
    await email.fill('ada@example.com');
    await pay();
    await page.waitForURL(`${stack.sandbox.url}/paystack/checkout/*`);
  });

  it('tries again after the bank declined', async () => {
    const link = await newLink(stack, { customer: { name: 'Ada Obi' } });
    await page.goto(link.url);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await pay();
    await page.getByRole('button', { name: 'Decline' }).click();
    await heading('The payment did not go through');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL(link.url);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    await heading('Payment received');
  });

  it('needs no script', async () => {
    await using quiet = await browser!.newContext({ javaScriptEnabled: false });
    const link = await newLink(stack);
    const plain = await quiet.newPage();
    await plain.goto(link.url);
    await plain.getByLabel('E-mail address').fill('ada@example.com');
    await plain.getByRole('button', { name: 'Pay ₦12,500.50' }).click();
    await plain.getByRole('link', { name: 'Continue to payment' }).click();
    await plain.getByRole('button', { name: 'Pay successfully' }).click();
    await plain.getByRole('heading', { name: 'Payment received' }).waitFor();
  });
});
