import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { callsOf, newestCharge, openCheckout, payButton, useMerchant } from './merchant.ts';

const listening = `<script>
  window.heard = [];
  addEventListener('message', ({ data }) => heard.push(data));
</script>`;

describe('The checkout script', () => {
  const merchant = useMerchant();
  const heard = (page: Page) => page.evaluate<unknown[]>('window.heard');

  const strangerWith = async (body: string): Promise<Page> => {
    const page = await merchant.context.newPage();
    await page.goto(`${merchant.stranger}${merchant.serve({ body: `${listening}${body}` })}`);
    return page;
  };
  const merchantBody = () => `${merchant.script}${payButton(merchant.order())}`;
  const pay = (opened: Page) => opened.getByRole('button', { name: 'Pay successfully' }).click();

  const chargeOfMerchant = async () => {
    const { key, ...body } = merchant.order();
    const headers = { origin: merchant.origin };
    return (await merchant.stack.api.post('/charges', body, { key, headers })).json;
  };

  it('tells a third party nothing that opens a checkout of the merchant', async () => {
    const { checkout_url: url } = await chargeOfMerchant();
    const stranger = await strangerWith('<button id="button">Pay</button>');
    await stranger.evaluate(`button.onclick = () => { window.opened = window.open('${url}') }`);
    const opened = await openCheckout(stranger);
    await pay(opened);
    await opened.getByRole('heading', { name: 'Payment received' }).waitFor();
    await sleep(500);
    expect(await heard(stranger)).to.deep.equal([]);
    // It stays open: that it closes would say that it was paid.
    expect(await stranger.evaluate('window.opened.closed')).to.equal(false);
    const status = await stranger.evaluate(
      `fetch('${url}/status').then((response) => response.text(), () => 'unreadable')`,
    );
    expect(status).to.equal('unreadable');
  });

  it('tells a third party nothing that frames a checkout, or the page with the script', async () => {
    const { checkout_url: url, reference } = await chargeOfMerchant();
    await merchant.stack.settle();
    await merchant.stack.control.pay(reference);
    await merchant.stack.settle();
    const path = merchant.serve({ body: merchantBody() });
    const stranger = await strangerWith(
      `<iframe src="${url}"></iframe><iframe id="shop" src="${merchant.origin}${path}"></iframe>`,
    );
    const [opened] = await Promise.all([
      stranger.waitForEvent('popup'),
      stranger.frameLocator('#shop').getByRole('button', { name: 'Pay' }).click(),
    ]);
    await pay(opened);
    const shop = stranger.frames().find((frame) => frame.url().endsWith(path))!;
    await shop.waitForFunction('window.calls.length > 0');
    expect(await shop.evaluate('window.calls[0][0]')).to.equal('onSuccess');
    expect(await heard(stranger)).to.deep.equal([]);
  });

  it('tells a third party nothing that opened the page with the script', async () => {
    const path = merchant.serve({ body: merchantBody() });
    const stranger = await strangerWith('<button id="button">Shop</button>');
    await stranger.evaluate(`button.onclick = () => { window.open('${merchant.origin}${path}') }`);
    const page = await openCheckout(stranger, 'Shop');
    await pay(await openCheckout(page));
    expect((await callsOf(page))[0]![0]).to.equal('onSuccess');
    expect(await heard(stranger)).to.deep.equal([]);
  });

  it('ignores a forged message: of another window, and of its own window at another origin', async () => {
    const frame = `${merchant.stranger}${merchant.serve({ body: '' })}`;
    const page = await merchant.visit({
      body: `${merchantBody()}<iframe src="${frame}"></iframe>`,
    });
    const opened = await openCheckout(page);
    await opened.waitForURL(`${merchant.stack.sandbox.url}/**`);
    const report = await newestCharge(merchant.stack);
    const forged = JSON.stringify({ type: 'payment-checkout', status: 'success', ...report });
    await page.evaluate(`window.postMessage(${forged}, '*')`);
    const framed = page.frames().find((one) => one.url() === frame)!;
    await framed.evaluate(`parent.postMessage(${forged}, '*')`);
    await opened.evaluate(`opener.postMessage(${forged}, '*')`);
    await page.waitForTimeout(200);
    expect(await page.evaluate('window.calls')).to.deep.equal([]);
    await pay(opened);
    expect(await callsOf(page)).to.deep.equal([['onSuccess', report]]);
  });

  it('works in a page whose policy allows no more than the lines of its reference', async () => {
    const reference = await merchant.context.newPage();
    await reference.goto(`${merchant.service}/docs/checkout`);
    const lines = (await reference.locator('#policy-lines').innerText()).split(/;\s*/);
    expect(lines.length).to.equal(2);
    const page = await merchant.visit({
      body: `${merchant.script}<button data-payment-checkout data-email="ada@example.com"
        data-key="${merchant.order().key}" data-amount-kobo="10000">Pay</button>`,
      headers: { 'content-security-policy': ["default-src 'none'", ...lines].join('; ') },
    });
    await page.evaluate(`window.calls = []; document.addEventListener('payment-checkout',
      ({ detail }) => calls.push(['event', detail]))`);
    await pay(await openCheckout(page));
    expect((await callsOf(page))[0]![1].status).to.equal('success');
    expect(merchant.complaints.filter((text) => !/icon|data:/.test(text))).to.deep.equal([]);
  });

  it('keeps checkouts of two tabs apart', async () => {
    const [one, two] = [await merchant.visitWithButton(), await merchant.visitWithButton()];
    const opened = await openCheckout(one);
    await opened.waitForURL(`${merchant.stack.sandbox.url}/**`);
    const first = await newestCharge(merchant.stack);
    const other = await openCheckout(two);
    await other.waitForURL(`${merchant.stack.sandbox.url}/**`);
    const second = await newestCharge(merchant.stack);
    await pay(other);
    expect(await callsOf(two)).to.deep.equal([['onSuccess', second]]);
    expect(await one.evaluate('window.calls')).to.deep.equal([]);
    await pay(opened);
    expect(await callsOf(one)).to.deep.equal([['onSuccess', first]]);
  });

  it('works where the cookies of third parties are blocked', async () => {
    const frame = `${merchant.stranger}${merchant.serve({
      body: `<script>document.cookie = 'seen=1; SameSite=None; Secure';
        parent.postMessage({ cookie: document.cookie }, '*')</script>`,
    })}`;
    const body = `${listening}<iframe src="${frame}"></iframe>${merchantBody()}`;
    const page = await merchant.visit({ body });
    const cookies = async () => {
      await page.waitForFunction('heard.length > 0');
      return heard(page);
    };
    expect(await cookies()).to.deep.equal([{ cookie: 'seen=1' }]);
    await merchant.context.clearCookies();
    const session = await merchant.context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCookieControls', {
      enableThirdPartyCookieRestriction: true,
    } as never);
    await page.reload();
    expect(await cookies(), 'they are blocked').to.deep.equal([{ cookie: '' }]);
    await pay(await openCheckout(page));
    expect((await callsOf(page))[0]![0]).to.equal('onSuccess');
  });
});
