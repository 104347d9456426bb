import { expect } from 'chai';
import { connect, disconnectAll } from '../../support/connect.ts';
import {
  newLink,
  openedBy,
  payAddress,
  submit,
  titleOf,
  visit,
} from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

const fieldsOf = (html: string) =>
  [...html.matchAll(/<input id="(\w+)" name="(\w+)"/g)].map(([, , name]) => name);

describe('The page of a payment link', () => {
  let stack: Stack;
  let origin: string;
  before(async () => {
    stack = await startStack({ workers: false });
    origin = new URL(stack.baseUrl).origin;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const setLink = ({ id }: { id: string }, column: string, value: unknown) =>
    stack.context.db.query(`update payment_links set ${column} = $2 where id = $1`, [id, value]);

  describe('shows', () => {
    it('the merchant, amount and description, and asks for the payer; viewing writes nothing', async () => {
      const link = await newLink(stack);
      const { status, headers, text } = await writingNothing(stack, () => visit(stack, link));
      expect([status, headers.get('content-type')]).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      for (const shown of [
        'Test Store',
        '₦12,500.50',
        'Two bags of rice',
        'Test mode',
        'Pay ₦12,500.50',
      ])
        expect(text).to.include(shown);
      expect(fieldsOf(text)).to.deep.equal(['email', 'name', 'phone']);
      expect(text).to.include('<form method="post">');
    });

    it('no field that the link fills in already', async () => {
      const link = await newLink(stack, { customer: { name: 'Ada Obi', phone: '08031234567' } });
      const { text } = await visit(stack, link);
      expect(fieldsOf(text)).to.deep.equal(['email']);
      const named = await newLink(stack, { customer: { name: 'Ada Obi' } });
      expect(fieldsOf((await visit(stack, named)).text)).to.deep.equal(['email', 'phone']);
      for (const hidden of ['Ada Obi', '+234', stack.tenant.tenant_id, link.id])
        expect(text).not.to.include(hidden);
    });

    it('no mention of testing for a live link', async () => {
      await connect(stack, stack.tenant.tenant_id, { mode: 'live' });
      const link = await newLink(stack, {}, stack.tenant.secret_key_live);
      const { status, text } = await visit(stack, link);
      expect(status).to.equal(200);
      expect(text).not.to.match(/test mode/i);
    });

    it('escaped texts of merchants and payers', async () => {
      const hostile = `</p><script>alert('x')</script>"'&<img src=x onerror=alert(1)>`;
      const tenant = await stack.newTenant();
      await stack.context.db.query('update tenants set name = $2 where id = $1', [
        tenant.tenant_id,
        hostile,
      ]);
      const link = await newLink(stack, { description: hostile }, tenant.secret_key_test);
      const typed = { email: `"><script>alert(1)</script>`, name: hostile };
      for (const { text } of [await visit(stack, link), await submit(stack, link, typed)]) {
        expect(text).not.to.match(/<script|<img|"'&<|="><|onerror=alert\(1\)>/);
        expect(text).to.include('&lt;script&gt;');
      }
    });

    it('headers that allow no foreign script, form target, frame, cache or referrer', async () => {
      const { id } = await newLink(stack);
      for (const path of [`/l/${id}`, '/l/unknown']) {
        const { headers, text } = await rawRequest(origin, { path });
        const policy = headers.get('content-security-policy')!;
        expect(policy.split(';')).to.include.members([
          "default-src 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "style-src 'self'",
        ]);
        expect(policy).not.to.match(/unsafe|\*|https?:/);
        const named = [
          'x-frame-options',
          'referrer-policy',
          'x-content-type-options',
          'cache-control',
          'x-powered-by',
        ];
        expect(named.map((name) => headers.get(name))).to.deep.equal([
          'DENY',
          'no-referrer',
          'nosniff',
          'no-store',
          null,
        ]);
        expect(headers.get('request-id')).to.match(/^req_/);
        expect(text).not.to.match(/ style=| on\w+="|<script|<style/);
      }
    });

    it('an existing style sheet', async () => {
      const { text } = await visit(stack, await newLink(stack));
      const [, path] = /<link rel="stylesheet" href="([^"]+)">/.exec(text)!;
      expect((await rawRequest(origin, { path: path! })).headers.get('content-type')).to.equal(
        'text/css; charset=utf-8',
      );
    });
  });

  describe('of a link that cannot be paid states why, and writes nothing:', () => {
    const unpayable = async (link: { id: string }, status: number, title: string) => {
      for (const look of [() => visit(stack, link), () => submit(stack, link)]) {
        const { status: code, headers, text } = await writingNothing(stack, look);
        expect([code, headers.get('content-type'), titleOf(text)]).to.deep.equal([
          status,
          'text/html; charset=utf-8',
          title,
        ]);
        expect(text).not.to.match(/<form|<input/);
      }
    };

    it('paid', async () => {
      const link = await newLink(stack);
      await setLink(link, 'status', 'paid');
      await unpayable(link, 200, 'This has been paid');
    });

    it('disabled, even while a charge is open', async () => {
      const link = await newLink(stack);
      await openedBy(stack, link);
      await stack.api.post(`/payment-links/${link.id}/disable`);
      await unpayable(link, 410, 'This payment link is no longer in use');
    });

    it('expired, from its end on, before and after the row is updated', async () => {
      const link = await newLink(stack, { expires_in_days: 1 });
      await setLink(link, 'expires_at', new Date(stack.clock().getTime()));
      await unpayable(link, 410, 'This payment link has expired');
      await setLink(link, 'status', 'expired');
      await unpayable(link, 410, 'This payment link has expired');
    });

    it('its provider is disconnected, except for a payer who has begun to pay', async () => {
      const tenant = await stack.newTenant();
      const [link, begun] = [
        await newLink(stack, {}, tenant.secret_key_test),
        await newLink(stack, {}, tenant.secret_key_test),
      ];
      const charge = await openedBy(stack, begun);
      await disconnectAll(stack, tenant.tenant_id);
      await unpayable(link, 409, 'No payment can be taken at the moment');
      expect((await visit(stack, begun)).headers.get('location')).to.equal(
        payAddress(stack, charge),
      );
    });

    it('unknown', async () => {
      const { id } = await newLink(stack);
      const addresses = [
        'lnk_01h455vb4pex5vsknk084sn02q',
        'lnk_',
        `x${id}`,
        `${id}0`,
        id.toUpperCase(),
        '%zz',
        '%00',
        `${id}/nothing`,
        '',
      ];
      for (const address of addresses) {
        for (const method of ['GET', 'POST']) {
          const answer = await writingNothing(stack, () =>
            rawRequest(origin, { method, path: `/l/${address}` }),
          );
          expect([answer.status, titleOf(answer.text)], address).to.deep.equal([
            404,
            'There is no such payment link',
          ]);
        }
      }
      expect((await rawRequest(origin, { method: 'DELETE', path: `/l/${id}` })).status).to.equal(
        404,
      );
    });
  });

  it('answers plain http on another host with a page that asks for https', async () => {
    const { id } = await newLink(stack);
    const refused = await rawRequest(origin, {
      path: `/l/${id}`,
      headers: { host: 'pay.example' },
    });
    expect([refused.status, titleOf(refused.text)]).to.deep.equal([
      403,
      'This address needs https',
    ]);
  });
});
