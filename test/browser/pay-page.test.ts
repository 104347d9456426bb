import { expect } from 'chai';
import { usePayer } from './payer.ts';

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
    await payer.page.goto(url);
    await payer.page.waitForURL(`${payer.stack.sandbox.url}/paystack/checkout/*`);
    await payer.page.getByRole('button', { name: 'Pay successfully' }).click();
    await payer.heading('Payment received');
    const receipt = await payer.page.getByRole('region', { name: 'Receipt' }).innerText();
    for (const shown of ['Test Store', '₦12,500.50', 'Two bags of rice', 'Card', reference])
      expect(receipt).to.include(shown);
    expect(await payer.fits()).to.equal(true);
    await payer.page.waitForURL(
      `${payer.stack.receiver.url}/thanks?order=7&reference=${reference}&status=succeeded`,
    );
    expect(payer.complaints()).to.deep.equal([]);
  });

  it('sees that the bank declined', async () => {
    const { checkout_url: url } = await create();
    await payer.stack.settle();
    await payer.page.goto(url);
    await payer.page.getByRole('button', { name: 'Decline' }).click();
    await payer.heading('The payment did not go through');
    expect(await payer.fits()).to.equal(true);
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
