import { expect } from 'chai';
import { type Fixture, openFixture } from './fixture.ts';

async function openPage(fixture: Fixture, fields: object = {}): Promise<string> {
  const body = { email: 'ada@example.com', amount: 1_234_567, ...fields };
  return (await fixture.paystack('POST', '/transaction/initialize', body)).body.data
    .authorization_url;
}

function choose(url: string, choice: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
}

describe("sandbox: Paystack's pay page", () => {
  it('shows who pays how much, states that it is a sandbox, and allows no inline code', async () => {
    await using fixture = await openFixture();
    const page = await fetch(await openPage(fixture));
    const html = await page.text();
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.not.include('unsafe-inline');
    expect(html).to.include('ada@example.com').and.include('₦12,345.67').and.include('Sandbox');
    for (const button of ['Pay successfully (card)', 'Pay by bank transfer', 'Decline'])
      expect(html).to.include(button);
    expect(html).not.to.match(/<script|<style| style=/);
  });

  it('shows an e-mail address as text, whatever is in it', async () => {
    await using fixture = await openFixture();
    const html = await (await fetch(await openPage(fixture, { email: '<b>@evil.example' }))).text();
    expect(html).to.include('&lt;b&gt;@evil.example').and.not.include('<b>');
  });

  for (const [choice, status, channel] of [
    ['card', 'success', 'card'],
    ['transfer', 'success', 'bank_transfer'],
    ['decline', 'failed', 'card'],
  ] as const) {
    it(`sends the customer who chose ${choice} back to the merchant, with an unchanged address`, async () => {
      await using fixture = await openFixture();
      const url = await openPage(fixture, {
        callback_url: 'https://shop.example/done?cart=a%20b#top',
      });
      const reply = await choose(url, choice);
      const [transaction] = (await fixture.paystack('GET', '/transaction')).body.data;
      expect(transaction).to.include({ status, channel });
      expect(reply.status).to.equal(303);
      const { reference } = transaction;
      expect(reply.headers.get('location')).to.equal(
        `https://shop.example/done?cart=a%20b&trxref=${reference}&reference=${reference}#top`,
      );
    });
  }

  it('shows the outcome where there is nowhere to return to, and lets a declined customer try again', async () => {
    await using fixture = await openFixture();
    const url = await openPage(fixture);
    await choose(url, 'decline');
    const declined = await (await fetch(url)).text();
    expect(declined).to.include('declined').and.include('Pay successfully');
    const reply = await choose(url, 'card');
    const paid = await (await fetch(new URL(reply.headers.get('location')!, url))).text();
    expect(paid).to.include('This payment has been made').and.not.include('<button');
  });

  it('changes nothing for a choice it does not offer, and knows only its own payments', async () => {
    await using fixture = await openFixture();
    const url = await openPage(fixture);
    expect((await choose(url, 'constructor')).status).to.equal(200);
    expect((await fixture.paystack('GET', '/transaction')).body.data[0].status).to.equal(
      'abandoned',
    );
    expect((await fetch(`${fixture.sandbox.url}/paystack/checkout/nosuchpage`)).status).to.equal(
      404,
    );
  });
});
