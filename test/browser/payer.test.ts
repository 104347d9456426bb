import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { complaintsOf, fits, hurried, PHONE, useBrowserStack } from '../support/browser.ts';
import { newCharge } from '../support/charges.ts';
import { chargesOf, newLink } from '../support/payment-links.ts';

/** `runTimers()` does what is still to be done later. */
const TIMERS_BY_HAND = `(() => {
  const timers = new Map();
  window.setTimeout = (callback) => timers.set(timers.size + 1, callback).size;
  window.clearTimeout = (id) => timers.delete(id);
  window.runTimers = () => [...timers.values()].forEach((callback) => callback());
})()`;

describe('A payer with a browser', () => {
  const stack = useBrowserStack();
  let page: Page;
  let complaints: string[];

  async function openPage(options: object = {}): Promise<void> {
    await page?.context().close();
    const looks = { viewport: PHONE, reducedMotion: 'reduce' } as const;
    page = await (await stack.browser.newContext({ ...looks, ...options })).newPage();
    complaints = complaintsOf(page);
  }
  beforeEach(async () => {
    await openPage();
    await page.context().addInitScript(hurried);
  });
  after(() => page?.context().close());

  const create = (more: object = {}) =>
    newCharge(stack, { amount_kobo: 1_250_050, description: 'Two bags of rice', ...more });
  const createOpen = async (more?: object) => {
    const charge = await create(more);
    await stack.settle();
    return charge;
  };
  const heading = (name: string, on = page) => on.getByRole('heading', { name }).waitFor();
  const press = (name: string, on = page) => on.getByRole('button', { name }).click();
  const atProvider = (on = page) => on.waitForURL(`${stack.sandbox.url}/paystack/checkout/*`);
  const receiptText = () => page.getByRole('region', { name: 'Receipt' }).innerText();
  const complained = () => complaints.filter((complaint) => !complaint.includes('favicon'));

  it('is led to the provider, pays, sees that it was received and is led back to the merchant', async () => {
    const thanks = `${stack.receiver.url}/thanks?order=7`;
    const { checkout_url: url, reference } = await create({ return_url: thanks });
    await openPage(); // that takes its time
    await page.goto(url);
    await atProvider();
    await press('Pay successfully');
    await heading('Payment received');
    const receipt = await receiptText();
    for (const shown of ['Test Store', '₦12,500.50', 'Two bags of rice', 'Card', reference])
      expect(receipt).to.include(shown);
    expect(await fits(page)).to.equal(true);
    await page.waitForURL(`${thanks}&reference=${reference}&status=succeeded`);
    expect(complained()).to.deep.equal([]);
  });

  it('keeps the receipt: it is there after a reload, and to print, and leads nowhere by itself', async () => {
    const { checkout_url: url, reference } = await createOpen({
      return_url: `${stack.receiver.url}/thanks`,
    });
    await stack.control.pay(reference);
    await stack.settle();
    await openPage(); // in a hurry it would lead back before the button is pressed
    await page.addInitScript(TIMERS_BY_HAND);
    await page.addInitScript('window.print = () => { document.title = "printed"; };');
    await page.goto(url);
    await press('Print or save the receipt');
    expect(await page.title()).to.equal('printed');
    const receipt = await receiptText();
    const left: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && left.push(request.url()));
    const wait = () => page.evaluate('runTimers(), fetch("/healthz").then(() => {})');
    await wait();
    expect(left).to.deep.equal([]);
    await page.reload();
    await wait();
    expect(left).to.deep.equal([url]);
    expect(await receiptText()).to.equal(receipt);
    const back = page.getByRole('link', { name: 'Back to Test Store' });
    expect(await back.getAttribute('href')).to.match(/status=succeeded$/);
  });

  it('with two tabs pays in one, and the other stops asking', async () => {
    const { checkout_url: url } = await createOpen();
    const other = await page.context().newPage();
    await other.goto(`${url}?returned=1`);
    await page.goto(url);
    await press('Pay successfully');
    await heading('Payment received');
    await heading('Payment received', other);
    await other.goto(url);
    await heading('Payment received', other);
  });

  it('goes back from the provider to where they came from, and from the merchant not to pay again', async () => {
    const shop = `${stack.receiver.url}/cart`;
    const { checkout_url: url } = await createOpen({ return_url: `${stack.receiver.url}/thanks` });
    await page.goto(shop);
    await page.goto(url);
    await atProvider();
    await page.goBack();
    expect(page.url()).to.equal(shop);
    await page.goForward();
    await press('Pay successfully');
    await page.waitForURL(`${stack.receiver.url}/thanks?**`);
    await page.goBack();
    expect(await page.getByRole('button', { name: 'Pay successfully' }).count()).to.equal(0);
    await page.goto(url);
    await heading('Payment received');
  });

  it('who comes back without paying waits, and sees the receipt of a payment by USSD by itself', async () => {
    const { checkout_url: url, reference } = await createOpen();
    await page.goto(url);
    await page.getByRole('link', { name: 'Return to the merchant' }).click();
    await heading('Waiting for confirmation');
    expect(await fits(page)).to.equal(true);
    await stack.control.pay(reference, { channel: 'ussd' });
    await heading('Payment received');
    expect(await receiptText()).to.include('Method\nUSSD');
  });

  describe('and a payment link', () => {
    const payFrom = async (on = page) => {
      await on.getByLabel('E-mail address').fill('ada@example.com');
      await press('Pay ₦12,500.50', on);
    };

    it('says who they are, is led to the checkout, pays, and finds the link paid', async () => {
      const link = await newLink(stack);
      await page.goto(link.url);
      expect(await fits(page)).to.equal(true);
      await page.getByLabel('Your name').fill('Ada Obi');
      await payFrom();
      await atProvider();
      await press('Pay successfully');
      await heading('Payment received');
      await page.goto(link.url);
      await heading('This has been paid');
      expect(await fits(page)).to.equal(true);
      expect(complained()).to.deep.equal([]);
      const [charge] = await chargesOf(stack, link);
      expect(charge).to.include({ email: 'ada@example.com', name: 'Ada Obi' });
    });

    it('shows beside the field what is wrong, with the cursor there and the other field filled', async () => {
      await page.goto((await newLink(stack)).url);
      await page.getByLabel('Your name').fill('Ada Obi');
      await page.getByLabel('E-mail address').fill('ada@example');
      await press('Pay ₦12,500.50');
      const description = 'Enter an e-mail address like name@example.com.';
      const email = page.getByRole('textbox', { name: 'E-mail address', description });
      await email.waitFor();
      expect(await email.inputValue()).to.equal('ada@example');
      expect(await page.getByLabel('Your name').inputValue()).to.equal('Ada Obi');
      expect(await page.evaluate('document.activeElement.name')).to.equal('email');
      expect(await fits(page)).to.equal(true);
      await payFrom();
      await atProvider();
    });

    it('who goes back from the provider is not led on again, and can go on or leave', async () => {
      await page.goto((await newLink(stack)).url);
      await payFrom();
      await atProvider();
      await page.goBack();
      await heading('Your payment is ready');
      await page.waitForTimeout(200);
      await page.getByRole('link', { name: 'Continue to payment' }).click();
      await atProvider();
    });

    it('needs no script, neither for the link nor to pay', async () => {
      await openPage({ javaScriptEnabled: false });
      await page.goto((await newLink(stack)).url);
      await payFrom();
      await page.getByRole('link', { name: 'Continue to payment' }).click();
      await press('Pay successfully');
      await heading('Payment received');
    });
  });
});
