import { expect } from 'chai';
import { HOUR } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

const body = {
  amount_kobo: 1_250_050,
  email: 'ada@example.com',
  name: 'Ada Obi',
  phone: '08031234567',
  description: 'Two bags of rice',
};

interface Checkout {
  id: string;
  reference: string;
  checkout_url: string;
}

describe('The pay page', () => {
  let stack: Stack;
  let origin: string;
  before(async () => {
    stack = await startStack({ workers: false });
    origin = new URL(stack.baseUrl).origin;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const create = async (more: object = {}): Promise<Checkout> =>
    (await stack.api.post('/charges', { ...body, ...more })).json;
  const created = async (more: object = {}) => {
    const checkout = await create(more);
    await openAtProvider(stack, checkout.reference);
    return checkout;
  };
  const payPage = ({ id }: { id: string }, query = '') =>
    rawRequest(origin, { path: `/pay/${id}${query}` });
  const status = async ({ id }: { id: string }, query = '') =>
    (await rawRequest(origin, { path: `/pay/${id}/status${query}` })).json;
  const linkOf = (html: string) =>
    /<a class="button" href="([^"]*)">/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const titleOf = (html: string) => /<h1>([^<]*)<\/h1>/.exec(html)?.[1];

  it('shows merchant, amount and description while no attempt is open yet', async () => {
    const checkout = await create();
    const { status: code, headers, text } = await writingNothing(stack, () => payPage(checkout));
    expect([code, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    for (const shown of [
      'Test Store',
      '₦12,500.50',
      'Two bags of rice',
      checkout.reference,
      'Test mode',
    ])
      expect(text).to.include(shown);
    expect(titleOf(text)).to.equal('Preparing your payment');
    expect(linkOf(text)).to.equal(undefined);
    expect(await status(checkout)).to.deep.equal({ status: 'preparing' });
  });

  it('leads to the provider’s page once an attempt is open', async () => {
    const checkout = await created();
    const [payment] = await stack.control.payments(checkout.reference);
    const { text } = await payPage(checkout);
    expect(titleOf(text)).to.equal('Taking you to the payment page');
    expect(linkOf(text)).to.equal(payment!.checkout_url);
    expect(text).to.include(`data-next="${payment!.checkout_url}"`);
    expect(await status(checkout)).to.deep.equal({ status: 'ready' });
  });

  it('waits for confirmation after the payer came back, with the link to the provider still shown', async () => {
    const checkout = await created();
    const { text } = await payPage(checkout, '?returned=1&trxref=x&reference=y');
    expect(titleOf(text)).to.equal('Waiting for confirmation');
    expect(linkOf(text)).to.equal(
      (await stack.control.payments(checkout.reference))[0]!.checkout_url,
    );
    expect(await status(checkout, '?returned=1')).to.deep.equal({ status: 'confirming' });
  });

  it('verifies when the payer comes back, and shows the payment', async () => {
    const checkout = await created({ return_url: 'https://shop.example/done?order=7#top' });
    await stack.control.pay(checkout.reference, { notify: false });
    const { text } = await payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('Payment received');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?order=7&reference=${checkout.reference}&status=succeeded#top`,
    );
    expect(await status(checkout)).to.deep.equal({ status: 'done' });
  });

  it('has no way back when the merchant gave no return_url', async () => {
    const checkout = await created();
    await stack.control.pay(checkout.reference, { notify: false });
    expect(linkOf((await payPage(checkout, '?returned=1')).text)).to.equal(undefined);
  });

  it('shows why the payment was declined, and returns with that status', async () => {
    const checkout = await created({ return_url: 'https://shop.example/done' });
    await stack.control.pay(checkout.reference, { outcome: 'failed' });
    const { text } = await payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).to.include('The reason given: Declined. You can');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?reference=${checkout.reference}&status=failed`,
    );
    expect(await status(checkout)).to.deep.equal({ status: 'failed' });
  });

  it('hides from the payer why a provider refused the merchant', async () => {
    const checkout = await create();
    await stack.context.db.query(
      `update charges set status = 'failed', failure_cause = 'refused', failure_message = 'Invalid key (HTTP 401)' where number = $1`,
      [checkout.reference.slice(3)],
    );
    const { text } = await payPage(checkout);
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).not.to.include('Invalid key');
  });

  it('shows that the charge expired', async () => {
    const checkout = await create();
    await stack.context.db.query(
      `update charges set status = 'failed', failure_cause = 'expired', failure_message = 'late' where number = $1`,
      [checkout.reference.slice(3)],
    );
    const { text } = await payPage(checkout);
    expect(titleOf(text)).to.equal('This checkout has expired');
    expect(await status(checkout)).to.deep.equal({ status: 'expired' });
  });

  it('does not call a refunded payment received', async () => {
    const checkout = await create();
    await stack.context.db.query(`update charges set status = 'refunded' where number = $1`, [
      checkout.reference.slice(3),
    ]);
    expect(titleOf((await payPage(checkout)).text)).to.equal('This payment was refunded');
  });

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
        ...body,
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
      const { text } = await payPage(json);
      expect(text.match(/<script/g)).to.have.length(1);
      expect(text).not.to.match(/<img|onerror=alert\(1\)>|"'&<|="><|href="[^"]*'[^"]*"/);
      expect(text).to.include('&lt;script&gt;');
    }
  });

  it('shows nothing of the payer, the metadata or the service’s ids', async () => {
    const checkout = await created({
      metadata: { margin: 'secret-margin' },
      reference: 'internal-order-77',
    });
    const { text } = await payPage(checkout, '?returned=1');
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
    const checkout = await create();
    for (const path of [`/pay/${checkout.id}`, `/pay/${checkout.id}/status`, '/pay/unknown']) {
      const { headers } = await rawRequest(origin, { path });
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
    expect((await payPage(checkout)).text).not.to.match(/ style=| on\w+="|<script>|<style/);
  });

  it('links an existing style sheet and script', async () => {
    const { text } = await payPage(await create());
    const assets = [...text.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(
      ([, path]) => path!,
    );
    const types = await Promise.all(
      assets.map(async (path) => (await rawRequest(origin, { path })).headers.get('content-type')),
    );
    expect(types).to.deep.equal(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  it('reloads without scripts while it waits', async () => {
    const checkout = await created();
    expect((await payPage(checkout, '?returned=1')).text).to.match(
      /<noscript><meta http-equiv="refresh" content="\d"><\/noscript>/,
    );
    expect((await payPage(checkout)).text).not.to.include('http-equiv="refresh"');
  });

  it('answers an unknown address with 404 and a page', async () => {
    const { id } = await create();
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
      } = await writingNothing(stack, () => rawRequest(origin, { path: `/pay/${address}` }));
      expect([code, headers.get('content-type')], address).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(titleOf(text)).to.equal('There is no such checkout');
      expect(text).to.include(headers.get('request-id'));
    }
    const posted = await rawRequest(origin, { method: 'POST', path: `/pay/${id}` });
    expect([posted.status, posted.headers.get('content-type')]).to.deep.equal([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('answers the status of an unknown checkout with 404 in JSON, as its script reads it', async () => {
    const answer = await rawRequest(origin, { path: '/pay/ct_01h455vb4pex5vsknk084sn02q/status' });
    expectError(answer, 404, 'not_found');
  });

  it('answers plain http on another host with a page that asks for https', async () => {
    const { id } = await create();
    const refused = await rawRequest(origin, {
      path: `/pay/${id}`,
      headers: { host: 'pay.example' },
    });
    expect([refused.status, titleOf(refused.text)]).to.deep.equal([
      403,
      'This address needs https',
    ]);
  });

  it('does not mention testing for live charges', async () => {
    const checkout = await create();
    await stack.context.db.query(`update charges set mode = 'live' where number = $1`, [
      checkout.reference.slice(3),
    ]);
    expect((await payPage(checkout)).text).not.to.match(/test mode/i);
  });

  it('verifies at most once a second, however often it is opened', async () => {
    const checkout = await created();
    stack.clock.advance(HOUR);
    const { verifies } = (await stack.control.stats()).paystack!;
    await Promise.all(Array.from({ length: 20 }, () => payPage(checkout, '?returned=1')));
    expect((await stack.control.stats()).paystack!.verifies).to.equal(verifies + 1);
  });
});
