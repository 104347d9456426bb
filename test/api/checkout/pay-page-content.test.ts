import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { newLink, submit, visit } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { order, payPagesOf } from './pay-fixture.ts';

describe('The pay page', () => {
  const stack = useStack({ workers: false });
  const pages = payPagesOf(stack);

  it('escapes texts of merchants and payers, as does that of a link', async () => {
    const hostile = `</p><script>alert('x')</script>"'&<img src=x onerror=alert(1)>`;
    const tenant = await stack.newTenant();
    await stack.sql`update tenants set name = ${hostile} where id = ${tenant.tenant_id}`;
    const return_url = `https://shop.example/?a="><script>alert(1)</script>&b='x'`;
    const body = { ...order, description: hostile, return_url };
    const { json } = await stack.api.post('/charges', body, { key: tenant.secret_key_test });
    for (const change of [
      {},
      { status: 'succeeded' },
      { status: 'failed', failure_cause: 'declined', failure_message: hostile },
    ]) {
      const number = json.reference.slice(3);
      for (const [column, value] of Object.entries(change))
        await stack.context.db.query(`update charges set ${column} = $2 where number = $1`, [
          number,
          value,
        ]);
      const { text } = await pages.payPage(json);
      expect(text.match(/<script/g)).to.have.length(1);
      expect(text).not.to.match(/<img|onerror=alert\(1\)>|"'&<|="><|href="[^"]*'[^"]*"/);
      expect(text).to.include('&lt;script&gt;');
    }
    const link = await newLink(stack, { description: hostile }, tenant.secret_key_test);
    const typed = { email: `"><script>alert(1)</script>`, name: hostile };
    for (const { text } of [await visit(stack, link), await submit(stack, link, typed)]) {
      expect(text).not.to.match(/<script|<img|"'&<|="><|onerror=alert\(1\)>/);
      expect(text).to.include('&lt;script&gt;');
    }
  });

  it('shows texts in the order they are written, in any script', async () => {
    const tenant = await stack.newTenant();
    const show = async (name: string, description: string) => {
      await stack.sql`update tenants set name = ${name} where id = ${tenant.tenant_id}`;
      const key = tenant.secret_key_test;
      const { json } = await stack.api.post('/charges', { ...order, description }, { key });
      return (await pages.payPage(json)).text;
    };
    const turned = await show('Shop \u202egpj.exe', 'Pay \u2066\u202e00021\u2069 now');
    expect(turned)
      .to.include('<bdi>Shop gpj.exe</bdi>')
      .and.to.include('dir="auto">Pay 00021 now<');
    for (const [name, initial] of [
      ['Ọ̀ṣọ́ Store', 'Ọ̀'],
      ['👩‍👩‍👧‍👦 Toys', '👩‍👩‍👧‍👦'],
      [' متجر', 'م'],
      [`Z${'\u0300'.repeat(80)}`, `Z${'\u0300'.repeat(15)}`],
    ] as const)
      expect(await show(name, 'Rice')).to.include(`aria-hidden="true">${initial}</span>`);
  });

  it('says where payers reach the merchant, once the merchant has said so', async () => {
    const checkout = await pages.create();
    expect((await pages.payPage(checkout)).text).not.to.include('Questions?');
    const set = (email: string | null, phone: string | null) =>
      stack.sql`update tenants set support_email = ${email}, support_phone = ${phone}`;
    await set('help@shop.example', '+2348090000000');
    const { text } = await pages.payPage(checkout);
    expect(text).to.include('<a href="mailto:help@shop.example">help@shop.example</a>');
    expect(text).to.include('<a href="tel:+2348090000000">+2348090000000</a>');
    await set(null, null);
  });

  it('shows the merchant’s logo, or its initial', async () => {
    const checkout = await pages.create();
    expect((await pages.payPage(checkout)).text).to.include('<span class="initial"');
    const [sha256, png] = ['a'.repeat(64), Buffer.from('png')];
    await stack.sql`insert into tenant_logos (tenant_id, sha256, png, created_at)
      values (${stack.tenant.tenant_id}, ${sha256}, ${png}, now())`;
    const link = await stack.api.post('/payment-links', { amount_kobo: 50_000, description: 'x' });
    const linkPage = await rawRequest(stack, { path: new URL(link.json.url).pathname });
    for (const { text } of [await pages.payPage(checkout), linkPage]) {
      expect(text).to.include(`src="${stack.origin}/logos/${sha256}.png" alt="" width="44"`);
      expect(text).not.to.include('class="initial"');
    }
    await stack.sql`delete from tenant_logos`;
  });

  it('shows nothing of the payer, the metadata or the service’s ids', async () => {
    const checkout = await pages.createOpen({
      metadata: { margin: 'secret-margin' },
      reference: 'internal-order-77',
    });
    const { text } = await pages.payPage(checkout, '?returned=1');
    const [{ id }] = (await stack.sql`select id from connections`) as [any];
    const payer = ['ada@example.com', 'Ada Obi', '+234'];
    const own = ['secret-margin', 'internal-order-77', id, stack.tenant.tenant_id];
    for (const secret of [...payer, ...own]) expect(text).not.to.include(secret);
  });

  it('reloads without scripts while it waits', async () => {
    const checkout = await pages.createOpen();
    expect((await pages.payPage(checkout, '?returned=1')).text).to.match(
      /<noscript><meta http-equiv="refresh" content="\d"><\/noscript>/,
    );
    expect((await pages.payPage(checkout)).text).not.to.include('http-equiv="refresh"');
  });

  describe('of a checkout that a web page opened', () => {
    const shop = 'https://shop.example';
    let fromPage: Checkout;
    let fromServer: Checkout;
    before(async () => {
      const key = stack.tenant.public_key_test;
      fromPage = (await stack.api.post('/charges', order, { key, headers: { origin: shop } })).json;
      await openAtProvider(stack, fromPage.reference);
      fromServer = await pages.createOpen();
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
      for (const checkout of [fromPage, fromServer]) {
        await stack.control.pay(checkout.reference, { notify: false });
        await pages.payPage(checkout, '?returned=1');
      }
      expect(await reportOf(fromServer)).to.equal(undefined);
      expect(await reportOf(fromPage))
        .to.include(`data-origin="${shop}"`)
        .and.include(`data-checkout="${fromPage.id}"`)
        .and.include(`data-reference="${fromPage.reference}"`)
        .and.include('data-status="success"');
      expect((await get('/pay/assets/opener.js')).status).to.equal(200);
    });
  });
});
