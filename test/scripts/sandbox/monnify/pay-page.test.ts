import { expect } from 'chai';
import { type MonnifyFixture, openMonnify } from './monnify-fixture.ts';

function choose(url: string, choice: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
}

async function openPage(fixture: MonnifyFixture, fields: object = {}) {
  return fixture.init({ amount: 12_345.67, ...fields });
}

describe("sandbox: Monnify's pay page", () => {
  for (const [choice, paymentStatus, paymentMethod] of [
    ['card', 'PAID', 'CARD'],
    ['transfer', 'PAID', 'ACCOUNT_TRANSFER'],
    ['decline', 'FAILED', 'CARD'],
  ] as const) {
    it(`sends the customer who chose ${choice} back to the merchant with the payment's reference`, async () => {
      await using fixture = await openMonnify();
      const { checkoutUrl, paymentReference } = await openPage(fixture);
      const reply = await choose(checkoutUrl, choice);
      expect(reply.status).to.equal(303);
      expect(reply.headers.get('location')).to.equal(
        `https://shop.example/done?cart=1&paymentReference=${paymentReference}`,
      );
      expect(await fixture.query(paymentReference)).to.include({ paymentStatus, paymentMethod });
    });
  }

  it('takes no money after a decline, nor when its time is over', async () => {
    await using fixture = await openMonnify();
    const declined = await openPage(fixture, { redirectUrl: undefined });
    await choose(declined.checkoutUrl, 'decline');
    await choose(declined.checkoutUrl, 'card');
    expect((await fixture.query(declined.paymentReference)).paymentStatus).to.equal('FAILED');
    const late = await openPage(fixture);
    await fixture.pass(2_400_000);
    expect(await (await fetch(late.checkoutUrl)).text())
      .to.include('The time to pay is over')
      .and.not.include('<button');
    await choose(late.checkoutUrl, 'card');
    expect((await fixture.query(late.paymentReference)).paymentStatus).to.equal('EXPIRED');
  });
});
