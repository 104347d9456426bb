import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { callsOf, newestCharge, openCheckout, useMerchant } from './merchant.ts';

const blocked = {
  headers: { 'content-security-policy': 'sandbox allow-scripts allow-same-origin' },
};

const isolated = {
  headers: {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  },
};

describe('The checkout script', () => {
  const merchant = useMerchant();
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const payIn = async (page: Page) => {
    await press(page, 'Pay');
    await press(page, 'Pay successfully');
  };

  describe('on a page without code of its own', () => {
    const listen = (page: Page) =>
      page.evaluate(`window.calls = [];
      document.addEventListener('payment-checkout', (event) =>
        calls.push([event.target.id, event.detail]))`);
    const attributes = (more = `data-email="${merchant.order().email}"`) =>
      `data-key="${merchant.order().key}" data-amount-kobo="1250050" ${more}`;
    const visit = async (element: string) => {
      const page = await merchant.visit({ body: `${merchant.script}${element}` });
      await listen(page);
      return page;
    };

    it('has a button that opens the checkout, and events of how it ended', async () => {
      const page = await visit(
        `<button id="rice" data-payment-checkout ${attributes()} data-reference="order-8"
        data-metadata='{"bags": 2}'><b>Pay</b></button>`,
      );
      const opened = await openCheckout(page);
      await press(opened, 'Pay successfully');
      const { checkout, reference } = await newestCharge(merchant.stack);
      expect(await callsOf(page)).to.deep.equal([
        ['rice', { status: 'success', reference, checkout }],
      ]);
      const { json } = await merchant.stack.api.get(`/charges/${reference}`);
      expect(json.merchant_reference).to.equal('order-8');
      expect(json.transaction.metadata).to.deep.equal({ bags: 2 });
    });

    it('is left for its return address after the payment', async () => {
      const page = await visit(
        `<a href="#" data-payment-checkout ${attributes()} data-return-url="/thanks?order=8"
        role="button">Pay</a>`,
      );
      const opened = await openCheckout(page);
      await press(opened, 'Pay successfully');
      const { reference } = await newestCharge(merchant.stack);
      await page.waitForURL(
        `${merchant.origin}/thanks?order=8&reference=${reference}&status=succeeded`,
      );
    });

    it('has a form whose fields the payer fills in', async () => {
      const page = await visit(
        `<form id="form" data-payment-checkout ${attributes('')}>
        <label>E-mail <input type="email" name="email" required></label>
        <label>Name <input name="name"></label>
        <input type="hidden" name="amount_kobo" value="1">
        <button>Pay</button></form>`,
      );
      await page.getByLabel('E-mail').fill('chi@example.com');
      const opened = await openCheckout(page);
      await press(opened, 'Pay successfully');
      const [[id, { reference }]] = (await callsOf(page)) as [[string, any]];
      expect(id).to.equal('form');
      const { transaction } = (await merchant.stack.api.get(`/charges/${reference}`)).json;
      expect(transaction.customer).to.include({ email: 'chi@example.com', name: null });
      expect(transaction.amount_kobo).to.equal(1_250_050);
    });

    it('learns what the API refuses, and of a window that was closed', async () => {
      const page = await visit(
        `<button id="wrong" data-payment-checkout ${attributes('data-email="nobody"')}>Wrong</button>
       <button id="right" data-payment-checkout ${attributes()}>Right</button>`,
      );
      await openCheckout(page, 'Wrong');
      const [[, refused]] = (await callsOf(page)) as [[string, any]];
      expect([refused.status, Object.keys(refused.error.fields)]).to.deep.equal([
        'failed',
        ['email'],
      ]);
      const opened = await openCheckout(page, 'Right');
      await opened.waitForURL(`${merchant.stack.sandbox.url}/paystack/checkout/*`);
      await opened.close();
      const { reference } = await newestCharge(merchant.stack);
      expect((await callsOf(page, 2))[1]).to.deep.equal(['right', { status: 'closed', reference }]);
    });
  });

  describe('where windows are blocked', () => {
    const pages = { 'the page': blocked, 'a page isolated from what it opens': isolated };
    for (const [where, page] of Object.entries(pages))
      it(`leads to the checkout, and back to ${where}, with the outcome`, async () => {
        const shop = await merchant.visitWithButton({}, page);
        expect(await shop.evaluate('crossOriginIsolated')).to.equal(page === isolated);
        const address = shop.url();
        await payIn(shop);
        const { reference } = await newestCharge(merchant.stack);
        await shop.waitForURL(`${address}?reference=${reference}&status=succeeded`);
        expect(merchant.context.pages()).to.have.length(1);
      });

    it('leads back to the return_url where one is given', async () => {
      const thanks = { return_url: `${merchant.origin}/thanks?order=7` };
      const page = await merchant.visitWithButton(thanks, blocked);
      await payIn(page);
      await page.waitForURL(`${merchant.origin}/thanks?order=7&reference=SV-*&status=succeeded`);
    });

    it('leads to the checkout without a way back where the key does not list the origin', async () => {
      const elsewhere = { return_url: 'https://elsewhere.example/thanks' };
      const page = await merchant.visitWithButton(elsewhere, blocked);
      await payIn(page);
      const { checkout } = await newestCharge(merchant.stack);
      await page.waitForURL(`${merchant.service}/pay/${checkout}?*`);
      expect(await page.getByRole('link', { name: /Back to/ }).count()).to.equal(0);
      expect(merchant.complaints.join()).to.match(/return_url must be absent .* allowed_origins/);
    });

    it('opens another checkout after the payer came back with the back button', async () => {
      const page = await merchant.visitWithButton({}, blocked);
      const shop = page.url();
      for (let visit = 1; visit <= 2; visit++) {
        await press(page, 'Pay');
        await page.waitForURL(`${merchant.stack.sandbox.url}/paystack/checkout/*`);
        await page.goBack();
        expect(page.url()).to.equal(shop);
      }
      expect(await page.evaluate('window.calls')).to.deep.equal([]);
    });
  });
});
