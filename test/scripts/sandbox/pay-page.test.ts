import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture, type ProviderName } from './fixture.ts';

const shop = 'https://shop.example/done?cart=a%20b';
const pages = {
  paystack: {
    sentTo: (callback_url: string, email: string) => ({ callback_url, email, amount: 1_234_567 }),
    back: (reference: string) => `${shop}&trxref=${reference}&reference=${reference}#top`,
    ...{ hash: '#top', afterDecline: 'back', linkMs: null },
  },
  flutterwave: {
    sentTo: (redirect_url: string, email: string) => ({
      ...{ redirect_url, customer: { email }, amount: 12_345.67 },
    }),
    back: (reference: string, id: string) =>
      `${shop}&status=successful&tx_ref=${reference}&transaction_id=${id}`,
    ...{ hash: '', afterDecline: 'again', linkMs: 1_800_000 },
  },
  monnify: {
    sentTo: (redirectUrl: string, customerEmail: string) => ({
      ...{ redirectUrl, customerEmail, amount: 12_345.67 },
    }),
    back: (reference: string) => `${shop}&paymentReference=${reference}`,
    ...{ hash: '', afterDecline: 'over', linkMs: 2_400_000 },
  },
};
const choose = (url: string, choice: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
const textOf = async (url: string) => (await fetch(url)).text();

for (const provider of Object.keys(pages) as ProviderName[]) {
  const { sentTo, back, hash, afterDecline, linkMs } = pages[provider];

  describe(`sandbox: the pay page of ${provider}`, () => {
    const fixture = forEachTest(() => openFixture({ provider }));

    it('shows who pays how much as text, without inline code, and sends the payer back', async () => {
      const { url, reference } = await fixture.open(sentTo(`${shop}${hash}`, 'ada<b>@example.com'));
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
      const [payment] = await fixture.payments(reference);
      expect(payment).to.include({ status: 'paid', channel: 'bank_transfer' });
      expect(reply.status).to.equal(303);
      expect(reply.headers.get('location')).to.equal(back(reference, payment.provider_payment_id));
      expect(await textOf(url))
        .to.include('This payment has been made')
        .and.not.include('<button');
    });

    it('lets a declined payer try again only where the provider does, and nobody pay too late', async () => {
      const { url, reference } = await fixture.open(sentTo(shop, 'ada@example.com'));
      const late = await fixture.open();
      const declined = (await choose(url, 'decline')).headers.get('location')!;
      if (afterDecline === 'again') expect(new URL(declined, url).href).to.equal(url);
      else expect(declined).to.match(/^https:\/\/shop\.example/);
      const statusOf = async (of: string) => (await fixture.payments(of))[0].status;
      expect(await statusOf(reference)).to.equal('failed');
      await choose(url, 'card');
      expect(await statusOf(reference)).to.equal(afterDecline === 'over' ? 'failed' : 'paid');
      if (linkMs === null) return;
      await fixture.pass(linkMs);
      expect(await textOf(late.url))
        .to.include('The time to pay is over')
        .and.not.include('<button');
      await choose(late.url, 'card');
      expect(await statusOf(late.reference)).not.to.equal('paid');
    });
  });
}
