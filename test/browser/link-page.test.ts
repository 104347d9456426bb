import { expect } from 'chai';
import { chargesOf, newLink } from '../support/payment-links.ts';
import { usePayer } from './payer.ts';

describe('A payer with a payment link and a browser', () => {
  const payer = usePayer();

  const pay = () => payer.page.getByRole('button', { name: 'Pay ₦12,500.50' }).click();

  it('says who they are, is led to the checkout, pays, and finds the link paid', async () => {
    const link = await newLink(payer.stack);
    await payer.page.goto(link.url);
    expect(await payer.fits()).to.equal(true);
    await payer.page.getByLabel('E-mail address').fill('ada@example.com');
    await payer.page.getByLabel('Your name').fill('Ada Obi');
    await pay();
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/paystack/checkout/*`);
    await payer.page.getByRole('button', { name: 'Pay successfully' }).click();
    await payer.heading('Payment received');
    await payer.page.goto(link.url);
    await payer.heading('This has been paid');
    expect(await payer.fits()).to.equal(true);
    expect(payer.complaints()).to.deep.equal([]);
    expect((await chargesOf(payer.stack, link))[0]).to.include({
      email: 'ada@example.com',
      name: 'Ada Obi',
    });
  });

  it('shows beside the field what is wrong, with the cursor there and the other field filled', async () => {
    const link = await newLink(payer.stack);
    await payer.page.goto(link.url);
    await payer.page.getByLabel('Your name').fill('Ada Obi');
    await payer.page.getByLabel('E-mail address').fill('ada@example');
    await pay();
    const email = payer.page.getByRole('textbox', {
      name: 'E-mail address',
      description: 'Enter an e-mail address like name@example.com.',
    });
    await email.waitFor();
    expect(await email.inputValue()).to.equal('ada@example');
    expect(await payer.page.getByLabel('Your name').inputValue()).to.equal('Ada Obi');
    expect(await email.evaluate((field) => field === field.ownerDocument.activeElement)).to.equal(
      true,
    );
    expect(await payer.fits()).to.equal(true);
    await email.fill('ada@example.com');
    await pay();
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/paystack/checkout/*`);
  });

  it('with two tabs is led to the same payment from both', async () => {
    const link = await newLink(payer.stack);
    const other = await payer.page.context().newPage();
    for (const page of [payer.page, other]) await page.goto(link.url);
    for (const page of [payer.page, other]) {
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByRole('button', { name: 'Pay ₦12,500.50' }).click();
      await page.waitForURL(`${payer.stack.sandbox.url}/**`);
    }
    expect(other.url()).to.equal(payer.page.url());
    expect(await chargesOf(payer.stack, link)).to.have.length(1);
    await other.close();
  });

  it('who goes back from the provider is not led on again, and can go on or leave', async () => {
    const link = await newLink(payer.stack);
    await payer.page.goto(link.url);
    await payer.page.getByLabel('E-mail address').fill('ada@example.com');
    await pay();
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/**`);
    await payer.page.goBack();
    await payer.heading('Your payment is ready');
    await payer.page.waitForTimeout(200);
    await payer.page.getByRole('link', { name: 'Continue to payment' }).click();
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/**`);
  });

  it('needs no script', async () => {
    await using quiet = await payer.browser.newContext({
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
    });
    const link = await newLink(payer.stack);
    const plain = await quiet.newPage();
    await plain.goto(link.url);
    await plain.getByLabel('E-mail address').fill('ada@example.com');
    await plain.getByRole('button', { name: 'Pay ₦12,500.50' }).click();
    await plain.getByRole('link', { name: 'Continue to payment' }).click();
    await plain.getByRole('button', { name: 'Pay successfully' }).click();
    await plain.getByRole('heading', { name: 'Payment received' }).waitFor();
  });
});
