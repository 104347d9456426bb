import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { order } from './pay-fixture.ts';

const shop = 'https://shop.example';

describe('A checkout that a web page opened', () => {
  const stack = useStack();
  let fromPage: Checkout;
  let fromServer: Checkout;
  before(async () => {
    const key = stack.tenant.public_key_test;
    fromPage = (await stack.api.post('/charges', order, { key, headers: { origin: shop } })).json;
    fromServer = (await stack.api.post('/charges', order)).json;
    await stack.settle();
  });

  const get = (path: string, origin?: string) =>
    rawRequest(stack, { path, headers: origin ? { origin } : {} });
  const openerPolicyOf = async (path: string) =>
    (await get(path)).headers.get('cross-origin-opener-policy');

  it('gives its status to pages of the origin that asked for it, and of no other', async () => {
    const readers: [Checkout, string | undefined, string | null][] = [
      [fromPage, shop, shop],
      [fromPage, 'https://evil.example', null],
      [fromPage, `${shop}.evil.example`, null],
      [fromPage, 'null', null],
      [fromPage, undefined, null],
      [fromServer, shop, null],
    ];
    for (const [{ id }, origin, allowed] of readers) {
      const { headers, json } = await get(`/pay/${id}/status`, origin);
      expect(headers.get('access-control-allow-origin'), origin).to.equal(allowed);
      expect(headers.get('vary')).to.equal('Origin');
      expect(Object.keys(json)).to.deep.equal(['status']);
    }
    const { headers } = await get(`/pay/${fromPage.id}`, shop);
    expect(headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('keeps its opener, unlike every other view', async () => {
    expect(await openerPolicyOf(`/pay/${fromPage.id}`)).to.equal('unsafe-none');
    expect(await openerPolicyOf(`/pay/${fromServer.id}`)).to.equal('same-origin');
    expect((await get(`/pay/${fromPage.id}`)).headers.get('content-security-policy')).to.include(
      "frame-ancestors 'none'",
    );
  });

  it('names the origin once there is an outcome to report', async () => {
    const reportOf = async ({ id }: Checkout) =>
      /<script[^>]*opener\.js[^>]*>/.exec((await get(`/pay/${id}`)).text)?.[0];
    expect(await reportOf(fromPage)).to.equal(undefined);
    for (const { reference } of [fromPage, fromServer]) await stack.control.pay(reference);
    await stack.settle();
    expect(await reportOf(fromServer)).to.equal(undefined);
    expect(await reportOf(fromPage))
      .to.include(`data-origin="${shop}"`)
      .and.include(`data-checkout="${fromPage.id}"`)
      .and.include(`data-reference="${fromPage.reference}"`)
      .and.include('data-status="success"');
    expect((await get('/pay/assets/opener.js')).status).to.equal(200);
  });
});
