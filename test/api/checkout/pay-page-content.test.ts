import { expect } from 'chai';
import { expectError } from '../../support/contract.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { order, payPagesOf, titleOf } from './pay-fixture.ts';

describe('The content of the pay page', () => {
  let stack: Stack;
  let pages: ReturnType<typeof payPagesOf>;
  before(async () => {
    stack = await startStack({ workers: false });
    pages = payPagesOf(stack);
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  it('escapes texts of merchants', async () => {
    const hostile = `</p><script>alert('x')</script>"'&<img src=x onerror=alert(1)>`;
    const tenant = await stack.newTenant();
    await stack.context.db.query('update tenants set name = $2 where id = $1', [
      tenant.tenant_id,
      hostile,
    ]);
    const { json } = await stack.api.post(
      '/charges',
      {
        ...order,
        description: hostile,
        return_url: `https://shop.example/?a="><script>alert(1)</script>&b='x'`.replaceAll(' ', ''),
      },
      { key: tenant.secret_key_test },
    );
    for (const change of [
      {},
      { status: 'succeeded' },
      { status: 'failed', failure_cause: 'declined', failure_message: hostile },
    ]) {
      for (const [column, value] of Object.entries(change)) {
        await stack.context.db.query(`update charges set ${column} = $2 where number = $1`, [
          json.reference.slice(3),
          value,
        ]);
      }
      const { text } = await pages.payPage(json);
      expect(text.match(/<script/g)).to.have.length(1);
      expect(text).not.to.match(/<img|onerror=alert\(1\)>|"'&<|="><|href="[^"]*'[^"]*"/);
      expect(text).to.include('&lt;script&gt;');
    }
  });

  it('shows texts in the order they are written, in any script', async () => {
    const tenant = await stack.newTenant();
    const show = async (name: string, description: string) => {
      await stack.context.db.query('update tenants set name = $2 where id = $1', [
        tenant.tenant_id,
        name,
      ]);
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
    const { db } = stack.context;
    const set = (email: string | null, phone: string | null) =>
      db.query('update tenants set support_email = $1, support_phone = $2', [email, phone]);
    await set('help@shop.example', '+2348090000000');
    const { text } = await pages.payPage(checkout);
    expect(text).to.include('<a href="mailto:help@shop.example">help@shop.example</a>');
    expect(text).to.include('<a href="tel:+2348090000000">+2348090000000</a>');
    await set(null, null);
  });

  it('shows the merchant’s logo, or its initial', async () => {
    const checkout = await pages.create();
    expect((await pages.payPage(checkout)).text).to.include('<span class="initial"');
    const logo = ['a'.repeat(64), Buffer.from('png')];
    await stack.context.db.query(
      'insert into tenant_logos (tenant_id, sha256, png, created_at) values ($1, $2, $3, now())',
      [stack.tenant.tenant_id, ...logo],
    );
    const link = await stack.api.post('/payment-links', { amount_kobo: 50_000, description: 'x' });
    const linkPage = await rawRequest(pages.origin, { path: new URL(link.json.url).pathname });
    for (const { text } of [await pages.payPage(checkout), linkPage]) {
      expect(text).to.include(`src="${pages.origin}/logos/${logo[0]}.png" alt="" width="44"`);
      expect(text).not.to.include('class="initial"');
    }
    await stack.context.db.query('delete from tenant_logos');
  });

  it('shows nothing of the payer, the metadata or the service’s ids', async () => {
    const checkout = await pages.createOpen({
      metadata: { margin: 'secret-margin' },
      reference: 'internal-order-77',
    });
    const { text } = await pages.payPage(checkout, '?returned=1');
    const [connection] = await stack.context.db.query<{ id: string; credentials: string }>(
      'select * from connections',
    );
    for (const secret of [
      'secret-margin',
      'internal-order-77',
      'ada@example.com',
      'Ada Obi',
      '+234',
      connection!.id,
      stack.tenant.tenant_id,
    ]) {
      expect(text).not.to.include(secret);
    }
  });

  it('has headers that allow no foreign script, frame, cache or referrer', async () => {
    const checkout = await pages.create();
    for (const path of [`/pay/${checkout.id}`, `/pay/${checkout.id}/status`, '/pay/unknown']) {
      const { headers } = await rawRequest(pages.origin, { path });
      const policy = headers.get('content-security-policy')!;
      expect(policy)
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.include("script-src 'self'");
      expect(policy).not.to.match(/unsafe|\*|https?:/);
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-powered-by')).to.equal(null);
      expect(headers.get('request-id')).to.match(/^req_/);
    }
    expect((await pages.payPage(checkout)).text).not.to.match(/ style=| on\w+="|<script>|<style/);
  });

  it('links an existing style sheet and script', async () => {
    const { text } = await pages.payPage(await pages.create());
    const assets = [...text.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(
      ([, path]) => path!,
    );
    const types = await Promise.all(
      assets.map(async (path) =>
        (await rawRequest(pages.origin, { path })).headers.get('content-type'),
      ),
    );
    expect(types).to.deep.equal(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  it('reloads without scripts while it waits', async () => {
    const checkout = await pages.createOpen();
    expect((await pages.payPage(checkout, '?returned=1')).text).to.match(
      /<noscript><meta http-equiv="refresh" content="\d"><\/noscript>/,
    );
    expect((await pages.payPage(checkout)).text).not.to.include('http-equiv="refresh"');
  });

  it('answers an unknown address with 404 and a page', async () => {
    const { id } = await pages.create();
    const addresses = [
      'ct_01h455vb4pex5vsknk084sn02q',
      'ct_',
      'SV-100001',
      `x${id}`,
      `${id}0`,
      id.toUpperCase(),
      '%zz',
      '%00',
      `${id}/nothing`,
      '',
    ];
    for (const address of addresses) {
      const {
        status: code,
        headers,
        text,
      } = await writingNothing(stack, () => rawRequest(pages.origin, { path: `/pay/${address}` }));
      expect([code, headers.get('content-type')], address).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(titleOf(text)).to.equal('There is no such checkout');
      expect(text).to.include(headers.get('request-id'));
    }
    const posted = await rawRequest(pages.origin, { method: 'POST', path: `/pay/${id}` });
    expect([posted.status, posted.headers.get('content-type')]).to.deep.equal([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('answers the status of an unknown checkout with 404 in JSON, as its script reads it', async () => {
    const answer = await rawRequest(pages.origin, {
      path: '/pay/ct_01h455vb4pex5vsknk084sn02q/status',
    });
    expectError(answer, 404, 'not_found');
  });

  it('answers plain http on another host with a page that asks for https', async () => {
    const { id } = await pages.create();
    const refused = await rawRequest(pages.origin, {
      path: `/pay/${id}`,
      headers: { host: 'pay.example' },
    });
    expect([refused.status, titleOf(refused.text)]).to.deep.equal([
      403,
      'This address needs https',
    ]);
  });

  it('does not mention testing for live charges', async () => {
    const checkout = await pages.create();
    await stack.context.db.query(`update charges set mode = 'live' where number = $1`, [
      checkout.reference.slice(3),
    ]);
    expect((await pages.payPage(checkout)).text).not.to.match(/test mode/i);
  });
});
