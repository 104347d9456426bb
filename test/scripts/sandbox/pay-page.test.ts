import { expect } from 'chai';
import { type Fixture, openFixture } from './fixture.ts';
import { openFlutterwave } from './flutterwave/fixture.ts';
import { openMonnify } from './monnify/monnify-fixture.ts';

type Page = (email: string, returnTo: string) => Promise<{ url: string; reference: string }>;

const merchants = {
  async paystack() {
    const fixture = await openFixture();
    const page: Page = async (email, callback_url) => {
      const order = { email, amount: 1_234_567, callback_url };
      const { data } = (await fixture.paystack('POST', '/transaction/initialize', order)).body;
      return { url: data.authorization_url, reference: data.reference };
    };
    return Object.assign(fixture, { page });
  },
  async flutterwave() {
    const fixture = await openFlutterwave();
    const page: Page = (email, redirect_url) =>
      fixture.link({ amount: 12_345.67, customer: { email }, redirect_url });
    return Object.assign(fixture, { page });
  },
  async monnify() {
    const fixture = await openMonnify();
    const page: Page = async (customerEmail, redirectUrl) => {
      const opened = await fixture.init({ amount: 12_345.67, customerEmail, redirectUrl });
      return { url: opened.checkoutUrl, reference: opened.paymentReference };
    };
    return Object.assign(fixture, { page });
  },
};

function choose(url: string, choice: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
}

const read = async (url: string) => (await fetch(url)).text();
const paymentOf = async (fixture: Fixture, reference: string) =>
  (await fixture.control('GET', `/payments?reference=${reference}`)).body.data[0];

const over = 'The time to pay is over';
const shop = 'https://shop.example/done?cart=a%20b';

const providers = {
  paystack: {
    back: (reference: string) => `${shop}&trxref=${reference}&reference=${reference}#top`,
    hash: '#top',
    afterDecline: 'back',
    linkMs: null,
  },
  flutterwave: {
    back: (reference: string, id: string) =>
      `${shop}&status=successful&tx_ref=${reference}&transaction_id=${id}`,
    hash: '',
    afterDecline: 'again',
    linkMs: 1_800_000,
  },
  monnify: {
    back: (reference: string) => `${shop}&paymentReference=${reference}`,
    hash: '',
    afterDecline: 'over',
    linkMs: 2_400_000,
  },
};

for (const name of Object.keys(merchants) as (keyof typeof merchants)[]) {
  const { back, hash, afterDecline, linkMs } = providers[name];

  describe(`sandbox: the pay page of ${name}`, () => {
    it('shows who pays how much as text, without inline code, and sends the payer back', async () => {
      await using merchant = await merchants[name]();
      const { url, reference } = await merchant.page('ada<b>@example.com', `${shop}${hash}`);
      const page = await fetch(url);
      const html = await page.text();
      expect(page.headers.get('content-security-policy'))
        .to.include("default-src 'none'")
        .and.not.include('unsafe-inline');
      for (const text of ['ada&lt;b&gt;@example.com', '₦12,345.67', 'sandbox'])
        expect(html).to.include(text);
      expect(html).not.to.match(/<script|<style| style=/);
      expect((await choose(url, 'constructor')).status).to.equal(200);
      const reply = await choose(url, 'transfer');
      const payment = await paymentOf(merchant, reference);
      expect(payment).to.include({ status: 'paid', channel: 'bank_transfer' });
      expect(reply.status).to.equal(303);
      expect(reply.headers.get('location')).to.equal(back(reference, payment.provider_payment_id));
      expect(await read(url))
        .to.include('This payment has been made')
        .and.not.include('<button');
    });

    it('lets a declined payer try again only where the provider does', async () => {
      await using merchant = await merchants[name]();
      const { url, reference } = await merchant.page('ada@example.com', shop);
      const declined = (await choose(url, 'decline')).headers.get('location')!;
      if (afterDecline === 'again') expect(new URL(declined, url).href).to.equal(url);
      else expect(declined).to.match(/^https:\/\/shop\.example/);
      expect((await paymentOf(merchant, reference)).status).to.equal('failed');
      await choose(url, 'card');
      const { status } = await paymentOf(merchant, reference);
      expect(status).to.equal(afterDecline === 'over' ? 'failed' : 'paid');
    });

    if (linkMs === null) return;

    it('takes no money once its time is over, and says so', async () => {
      await using merchant = await merchants[name]();
      const { url, reference } = await merchant.page('ada@example.com', shop);
      await merchant.pass(linkMs);
      expect(await read(url))
        .to.include(over)
        .and.not.include('<button');
      await choose(url, 'card');
      expect((await paymentOf(merchant, reference)).status).not.to.equal('paid');
    });
  });
}
