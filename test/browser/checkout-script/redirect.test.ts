import { expect } from 'chai';
import { newestCharge, useMerchant } from './merchant.ts';

const blocked = {
  headers: { 'content-security-policy': 'sandbox allow-scripts allow-same-origin' },
};

const isolated = {
  headers: {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  },
};

describe('The checkout script where windows are blocked', () => {
  const merchant = useMerchant();

  it('leads to the checkout, and back to the page with the outcome', async () => {
    const page = await merchant.visitWithButton({}, blocked);
    const shop = page.url();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    const { reference } = await newestCharge(merchant.stack);
    await page.waitForURL(`${shop}?reference=${reference}&status=succeeded`);
    expect(merchant.context.pages()).to.have.length(1);
  });

  it('leads back to the return_url where one is given', async () => {
    const page = await merchant.visitWithButton(
      { return_url: `${merchant.origin}/thanks?order=7` },
      blocked,
    );
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    await page.waitForURL(`${merchant.origin}/thanks?order=7&reference=SV-*&status=succeeded`);
  });

  it('leads to the checkout without a way back where the key does not list the origin', async () => {
    const page = await merchant.visitWithButton(
      { return_url: 'https://elsewhere.example/thanks' },
      blocked,
    );
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    const { checkout } = await newestCharge(merchant.stack);
    await page.waitForURL(`${merchant.service}/pay/${checkout}?*`);
    expect(await page.getByRole('link', { name: /Back to/ }).count()).to.equal(0);
    expect(merchant.complaints.join()).to.match(/return_url must be absent .* allowed_origins/);
  });

  it('leads to the checkout from a page that is isolated from what it opens', async () => {
    const page = await merchant.visitWithButton({}, isolated);
    expect(await page.evaluate('crossOriginIsolated')).to.equal(true);
    const shop = page.url();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('button', { name: 'Pay successfully' }).click();
    await page.waitForURL(`${shop}?reference=SV-*&status=succeeded`);
    expect(merchant.context.pages()).to.have.length(1);
  });

  it('opens another checkout after the payer came back with the back button', async () => {
    const page = await merchant.visitWithButton({}, blocked);
    const shop = page.url();
    for (let visit = 1; visit <= 2; visit++) {
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.waitForURL(`${merchant.stack.sandbox.url}/paystack/checkout/*`);
      await page.goBack();
      expect(page.url()).to.equal(shop);
    }
    expect(await page.evaluate('window.calls')).to.deep.equal([]);
  });
});
