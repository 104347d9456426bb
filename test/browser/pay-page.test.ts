import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePayer } from './payer.ts';

/** Longer than a receipt stays, in a hurried page, before it leads back by itself. */
const PAST_LEADING_BACK_MS = 800;

const receiptText = (page: Page) => page.getByRole('region', { name: 'Receipt' }).innerText();

describe('A payer with a browser', () => {
  const payer = usePayer();

  const create = async (more: object = {}) =>
    (
      await payer.stack.api.post('/charges', {
        amount_kobo: 1_250_050,
        email: 'ada@example.com',
        description: 'Two bags of rice',
        ...more,
      })
    ).json;

  it('is led to the provider, pays, sees that it was received and is led back to the merchant', async () => {
    const { checkout_url: url, reference } = await create({
      return_url: `${payer.stack.receiver.url}/thanks?order=7`,
    });
    await payer.takeTime();
    await payer.page.goto(url);
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/paystack/checkout/*`);
    await payer.page.getByRole('button', { name: 'Pay successfully' }).click();
    await payer.heading('Payment received');
    const receipt = await receiptText(payer.page);
    for (const shown of ['Test Store', '₦12,500.50', 'Two bags of rice', 'Card', reference])
      expect(receipt).to.include(shown);
    expect(await payer.fits()).to.equal(true);
    await payer.page.waitForURL(
      `${payer.stack.receiver.url}/thanks?order=7&reference=${reference}&status=succeeded`,
    );
    expect(payer.complaints()).to.deep.equal([]);
  });

  it('pays by USSD while the page waits, which shows the receipt by itself', async () => {
    const { checkout_url: url, reference } = await create();
    await payer.stack.settle();
    await payer.page.goto(`${url}?returned=1`);
    await payer.heading('Waiting for confirmation');
    await payer.stack.control.pay(reference, { channel: 'ussd' });
    await payer.heading('Payment received');
    expect(await receiptText(payer.page)).to.include('Paid by\nUSSD');
  });

  it('keeps the receipt: it is there after a reload, and to print, and leads nowhere by itself', async () => {
    const { checkout_url: url, reference } = await create({
      return_url: `${payer.stack.receiver.url}/thanks`,
    });
    await payer.stack.settle();
    await payer.stack.control.pay(reference);
    await payer.stack.settle();
    await payer.page.addInitScript('window.print = () => { document.title = "printed"; };');
    await payer.page.goto(url);
    await payer.page.getByRole('button', { name: 'Print or save the receipt' }).click();
    expect(await payer.page.title()).to.equal('printed');
    const receipt = await receiptText(payer.page);
    await payer.page.waitForTimeout(PAST_LEADING_BACK_MS);
    await payer.page.reload();
    await payer.page.waitForTimeout(PAST_LEADING_BACK_MS);
    expect(await receiptText(payer.page)).to.equal(receipt);
    const back = payer.page.getByRole('link', { name: 'Back to Test Store' });
    expect(await back.getAttribute('href')).to.match(/status=succeeded$/);
  });

  it('with two tabs pays in one, and the other stops asking', async () => {
    const { checkout_url: url } = await create();
    await payer.stack.settle();
    const other = await payer.page.context().newPage();
    await other.goto(`${url}?returned=1`);
    await payer.page.goto(url);
    await payer.page.getByRole('button', { name: 'Pay successfully' }).click();
    await payer.heading('Payment received');
    await other.getByRole('heading', { name: 'Payment received' }).waitFor();
    await other.goto(url);
    await other.getByRole('heading', { name: 'Payment received' }).waitFor();
    await other.close();
  });

  it('goes back from the provider to where they came from, and from the merchant not to pay again', async () => {
    const shop = `${payer.stack.receiver.url}/cart`;
    const { checkout_url: url } = await create({
      return_url: `${payer.stack.receiver.url}/thanks`,
    });
    await payer.stack.settle();
    await payer.page.goto(shop);
    await payer.page.goto(url);
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/**`);
    await payer.page.goBack();
    expect(payer.page.url()).to.equal(shop);
    await payer.page.goForward();
    await payer.page.getByRole('button', { name: 'Pay successfully' }).click();
    await payer.page.waitForURL(`${payer.stack.receiver.url}/thanks?**`);
    await payer.page.goBack();
    expect(await payer.page.getByRole('button', { name: 'Pay successfully' }).count()).to.equal(0);
    await payer.page.goto(url);
    await payer.heading('Payment received');
  });

  it('who comes back without paying waits, and can go on to pay', async () => {
    const { checkout_url: url, reference } = await create();
    await payer.stack.settle();
    await payer.page.goto(url);
    await payer.page.getByRole('link', { name: 'Return to the merchant' }).click();
    await payer.heading('Waiting for confirmation');
    expect(await payer.fits()).to.equal(true);
    await payer.stack.control.pay(reference, { channel: 'bank_transfer' });
    await payer.heading('Payment received');
  });

  it('needs no script: a link leads on', async () => {
    await using quiet = await payer.browser.newContext({
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
    });
    const { checkout_url: url } = await create();
    await payer.stack.settle();
    const plain = await quiet.newPage();
    await plain.goto(url);
    await plain.getByRole('link', { name: 'Continue to payment' }).click();
    await plain.getByRole('button', { name: 'Pay successfully' }).click();
    await plain.getByRole('heading', { name: 'Payment received' }).waitFor();
  });
});
