import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsOf } from '../../support/axe.ts';
import { callsOf, newestCharge, openCheckout, payButton, useMerchant } from './merchant.ts';

describe('The checkout script', () => {
  const merchant = useMerchant();
  const atProvider = (opened: Page) =>
    opened.waitForURL(`${merchant.stack.sandbox.url}/paystack/checkout/*`);

  it('opens a window in which the payer pays, reports the success, and the window closes', async () => {
    const page = await merchant.visitWithButton({ reference: 'order-7' });
    const opened = await openCheckout(page);
    const closed = opened.waitForEvent('close');
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    const [[name, detail]] = (await callsOf(page)) as [[string, any]];
    expect(name).to.equal('onSuccess');
    expect(Object.keys(detail)).to.deep.equal(['reference', 'checkout']);
    const { json } = await merchant.stack.api.get(`/charges/${detail.reference}`);
    expect(json).to.include({
      id: detail.checkout,
      status: 'completed',
      merchant_reference: 'order-7',
      amount_kobo: 1_250_050,
    });
    await closed;
    await sleep(200);
    expect(await callsOf(page)).to.have.length(1);
    expect(merchant.complaints).to.deep.equal([]);
    // No cookie is needed, so none can be blocked as a third party's.
    expect(await merchant.context.cookies()).to.deep.equal([]);
  });

  it('says in the window that it opens, and asks again with the same key where an answer was lost', async () => {
    const page = await merchant.visitWithButton();
    const before = await merchant.stack.count('charges');
    const seen = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/v1/charges', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      if (++asked > 1) return seen.promise.then(() => route.continue());
      await route.fetch();
      await route.abort();
    });
    const opened = await openCheckout(page);
    await opened.getByRole('heading', { name: 'One moment' }).waitFor();
    expect(await violationsOf(opened)).to.deep.equal([]);
    seen.resolve();
    await atProvider(opened);
    expect([asked, await merchant.stack.count('charges')]).to.deep.equal([2, before + 1]);
  });

  it('reports a window that was closed before the payment, and a payment that comes later', async () => {
    const page = await merchant.visitWithButton();
    const opened = await openCheckout(page);
    await atProvider(opened);
    await opened.close();
    const { checkout, reference } = await newestCharge(merchant.stack);
    expect(await callsOf(page)).to.deep.equal([['onClose', { reference }]]);
    await merchant.stack.control.pay(reference);
    expect(await callsOf(page, 2)).to.deep.equal([
      ['onClose', { reference }],
      ['onSuccess', { reference, checkout }],
    ]);
  });

  it('reports the success of a payment whose window was closed before it came back', async () => {
    const page = await merchant.visitWithButton({}, { unhurried: true });
    const opened = await openCheckout(page);
    await atProvider(opened);
    const { checkout, reference } = await newestCharge(merchant.stack);
    await merchant.stack.control.pay(reference);
    await opened.close();
    expect(await callsOf(page)).to.deep.equal([['onSuccess', { reference, checkout }]]);
  });

  it('reports the success where a provider cuts the window off from its opener', async () => {
    const providers = `${merchant.stack.sandbox.url}/paystack/checkout/*`;
    await merchant.context.route(providers, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' };
      await route.fulfill({ response, headers });
    });
    const page = await merchant.visitWithButton();
    const opened = await openCheckout(page);
    await opened.getByRole('button', { name: 'Pay successfully' }).waitFor();
    const { checkout, reference } = await newestCharge(merchant.stack);
    await page.waitForFunction('window.calls.length > 0');
    await merchant.stack.control.pay(reference);
    expect(await callsOf(page, 2)).to.deep.equal([
      ['onClose', { reference }],
      ['onSuccess', { reference, checkout }],
    ]);
    expect(opened.isClosed()).to.equal(false);
    await merchant.context.unroute(providers);
  });

  it('opens the checkout, and reports the success, where the page cuts off what it opens', async () => {
    const headers = { 'cross-origin-opener-policy': 'same-origin' };
    const page = await merchant.visitWithButton({}, { headers });
    const opened = await openCheckout(page);
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    await opened.getByRole('heading', { name: 'Payment received' }).waitFor();
    const detail = await newestCharge(merchant.stack);
    await page.waitForFunction('window.calls.some(([name]) => name === "onSuccess")');
    expect((await callsOf(page)).at(-1)).to.deep.equal(['onSuccess', detail]);
  });

  it('reports the failure of a checkout that expired', async () => {
    const page = await merchant.visitWithButton();
    const opened = await openCheckout(page);
    await atProvider(opened);
    const { reference } = await newestCharge(merchant.stack);
    await merchant.stack.pass(merchant.stack.context.env.chargeLifetimeMs);
    await opened.getByRole('link', { name: 'Return to the merchant' }).click();
    await opened.getByRole('heading', { name: 'This checkout has expired' }).waitFor();
    expect(await callsOf(page)).to.deep.equal([['onFailure', { reference, status: 'failed' }]]);
  });

  it('reports the failure of a window that was closed during another try, and its success', async () => {
    const page = await merchant.visitWithButton();
    const opened = await openCheckout(page);
    await opened.getByRole('button', { name: 'Decline' }).click();
    await opened.getByRole('button', { name: 'Try again' }).click();
    await opened.waitForURL(`${merchant.stack.sandbox.url}/flutterwave/checkout/*`);
    await opened.close();
    const { checkout, reference } = await newestCharge(merchant.stack);
    const failed = ['onFailure', { reference, status: 'failed' }];
    expect(await callsOf(page)).to.deep.equal([failed]);
    await merchant.stack.control.pay(reference);
    expect(await callsOf(page, 2)).to.deep.equal([failed, ['onSuccess', { reference, checkout }]]);
  });

  it('leads the back button of its window to the provider, never to a second payment', async () => {
    const page = await merchant.visitWithButton();
    const opened = await openCheckout(page);
    await atProvider(opened);
    const provider = opened.url();
    expect(await opened.evaluate('history.length'), 'nothing to go back to').to.equal(1);
    await opened.getByRole('link', { name: 'Return to the merchant' }).click();
    await opened.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
    await opened.goBack();
    expect(opened.url()).to.equal(provider);
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    const detail = await newestCharge(merchant.stack);
    expect(await callsOf(page)).to.deep.equal([['onSuccess', detail]]);
    expect(await merchant.stack.control.payments(detail.reference)).to.have.length(1);
  });

  it('reports what the API refuses, and closes the window', async () => {
    const page = await merchant.visitWithButton({ amount_kobo: 1 });
    await openCheckout(page);
    const [[name, { error }]] = (await callsOf(page)) as [[string, any]];
    const refused = ['onFailure', 'validation_failed', ['amount_kobo']];
    expect([name, error.code, Object.keys(error.fields)]).to.deep.equal(refused);
    expect(merchant.context.pages()).to.have.length(1);
  });

  it('sends a secret key nowhere', async () => {
    const page = await merchant.visitWithButton({ key: merchant.stack.tenant.secret_key_test });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Pay' }).click();
    const [[name, { error }]] = (await callsOf(page)) as [[string, any]];
    expect([name, error.code, asked]).to.deep.equal(['onFailure', 'secret_key', []]);
  });

  it('opens nothing without a public key', async () => {
    for (const key of [undefined, '', 7, ' svc_pk_test_x']) {
      const page = await merchant.visitWithButton({ key });
      await page.getByRole('button', { name: 'Pay' }).click();
      expect((await callsOf(page))[0]![1].error.code).to.equal('no_key');
      expect(page.context().pages().length).to.equal(1);
      await page.close();
    }
  });

  it('is one script, however often the page loads it, beside an element of its name', async () => {
    const element = '<p id="PaymentCheckout"></p>';
    const body = `${element}${merchant.script.repeat(2)}${payButton(merchant.order())}`;
    const page = await merchant.visit({ body });
    const opened = await openCheckout(page);
    await opened.getByRole('button', { name: 'Decline' }).click();
    await opened.getByRole('button', { name: 'Try again' }).waitFor();
    await opened.close();
    const { reference } = await newestCharge(merchant.stack);
    expect(await callsOf(page)).to.deep.equal([['onFailure', { reference, status: 'failed' }]]);
  });

  it('opens one window for a double click', async () => {
    const page = await merchant.visitWithButton();
    const before = await merchant.stack.count('charges');
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    await page.waitForTimeout(300);
    expect(merchant.context.pages()).to.have.length(2);
    expect(await merchant.stack.count('charges')).to.equal(before + 1);
  });

  it('throws nothing into the page, whatever it is given', async () => {
    const page = await merchant.visitWithButton();
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));
    const results = await page.evaluate<unknown[]>(`[undefined, null, 7, 'x', { onFailure: 7 },
      { key: 'svc_sk_x', onFailure() { throw new Error('theirs') } },
      { metadata: (() => { const loop = {}; loop.self = loop; return loop })() }
    ].map((options) => PaymentCheckout.open(options) === undefined)`);
    await page.waitForTimeout(200);
    expect([new Set(results), thrown]).to.deep.equal([new Set([true]), []]);
  });
});
