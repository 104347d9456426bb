import { expect } from 'chai';
import QRCode from 'qrcode';
import { checkoutIdOf } from '../../../domain/shared/ids.ts';
import { putCharge } from '../../support/charges.ts';
import { disconnectAll } from '../../support/connect.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import {
  expectPage,
  newLink,
  openedBy,
  payAddress,
  readLink,
  submit,
  titleOf,
  visit,
} from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { offersRetry, payPagesOf } from './pay-fixture.ts';

const fieldsOf = (html: string) =>
  [...html.matchAll(/<input id="(\w+)" name="(\w+)"/g)].map(([, , name]) => name);

const buttonOf = (html: string) => /<a class="button" href="([^"]*)">([^<]*)</.exec(html)?.slice(1);

describe('A payment link', () => {
  const stack = useStack({ workers: false });

  const pages = payPagesOf(stack);
  const named = (charge: { id: string }) => ({ id: checkoutIdOf(charge.id) });
  const payPage = (charge: { id: string }, query?: string) => pages.payPage(named(charge), query);
  const stateOf = async (charge: { id: string }) => (await pages.status(named(charge))).status;
  async function opened(link: { id: string }) {
    const charge = await openedBy(stack, link);
    await openAtProvider(stack, charge.reference);
    return charge;
  }

  const setLink = ({ id }: { id: string }, column: string, value: unknown) =>
    stack.context.db.query(`update payment_links set ${column} = $2 where id = $1`, [id, value]);

  describe('shows at its page', () => {
    it('the merchant, amount and description, and asks for the payer; viewing writes nothing', async () => {
      const link = await newLink(stack);
      const before = await stack.control.stats();
      const page = await writingNothing(stack, () => visit(stack, link));
      expect(await stack.control.stats(), 'no provider is asked').to.deep.equal(before);
      expectPage(page, 200, 'Your details');
      const { text } = page;
      for (const shown of ['Test Store', 'Two bags of rice', 'Test mode', 'Pay ₦12,500.50'])
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
  });

  describe('that cannot be paid states why, and writes nothing:', () => {
    const unpayable = async (link: { id: string }, status: number, title: string) => {
      for (const look of [() => visit(stack, link), () => submit(stack, link)]) {
        const page = await writingNothing(stack, look);
        expectPage(page, status, title);
        expect(page.text).not.to.match(/<form|<input/);
      }
    };

    it('paid, and disabled even while a charge is open', async () => {
      const [paid, disabled] = [await newLink(stack), await newLink(stack)];
      await setLink(paid, 'status', 'paid');
      await unpayable(paid, 200, 'This has been paid');
      await openedBy(stack, disabled);
      await stack.api.post(`/payment-links/${disabled.id}/disable`);
      await unpayable(disabled, 410, 'This payment link is no longer in use');
    });

    it('expired, from its end on, before and after the row is updated', async () => {
      const link = await newLink(stack, { expires_in_days: 1 });
      for (const [column, value] of [
        ['expires_at', stack.clock()] as const,
        ['status', 'expired'] as const,
      ]) {
        await setLink(link, column, value);
        await unpayable(link, 410, 'This payment link has expired');
      }
    });

    it('its provider is disconnected, except for a payer who has begun to pay', async () => {
      const { tenant_id, secret_key_test: key } = await stack.newTenant();
      const [link, begun] = [await newLink(stack, {}, key), await newLink(stack, {}, key)];
      const charge = await openedBy(stack, begun);
      await disconnectAll(stack, tenant_id);
      await unpayable(link, 409, 'No payment can be taken at the moment');
      const { headers } = await visit(stack, begun);
      expect(headers.get('location')).to.equal(payAddress(stack, charge));
    });
  });

  describe('has a QR code that', () => {
    const image = (path: string) => writingNothing(stack, () => fetch(`${stack.origin}/l/${path}`));
    const look = { margin: 4, errorCorrectionLevel: 'M' } as const;

    it('is an SVG and a PNG of the address, for anybody to show and every cache to keep', async () => {
      const link = await newLink(stack);
      const [svg, png] = [
        await QRCode.toString(link.url, { ...look, type: 'svg' }),
        (await QRCode.toBuffer(link.url, { ...look, width: 1_024 })).toString(),
      ];
      const expected = { svg: ['image/svg+xml; charset=utf-8', svg], png: ['image/png', png] };
      for (const [kind, [type, content]] of Object.entries(expected)) {
        const answer = await image(`${link.id}/qr.${kind}`);
        expect(answer.status).to.equal(200);
        expect(Object.fromEntries(answer.headers)).to.include({
          'content-type': type,
          'cache-control': 'public, max-age=86400',
          'content-disposition': `inline; filename="payment-link-${link.id}.${kind}"`,
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        });
        expect(await answer.text()).to.equal(content);
      }
    });

    it('is there for known links alone, in these two kinds', async () => {
      const { id } = await newLink(stack);
      for (const path of ['lnk_01h455vb4pex5vsknk084sn02q/qr.svg', 'x/qr.png', `${id}/qr.gif`]) {
        const answer = await rawRequest(stack.baseUrl, { path: `/l/${path}` });
        expectPage(answer, 404, 'There is no such payment link', path);
        expect(answer.headers.get('cache-control')).to.equal('no-store');
      }
    });
  });

  describe('has a charge whose pay page', () => {
    it('offers another try when the payment failed, until the link’s next charge is created', async () => {
      const link = await newLink(stack);
      const charge = await opened(link);
      await stack.control.pay(charge.reference, { outcome: 'failed' });
      const { text } = await payPage(charge, '?returned=1');
      expect(titleOf(text)).to.equal('The payment did not go through');
      expect([offersRetry(text), buttonOf(text)]).to.deep.equal([true, undefined]);
      expect((await visit(stack, link)).status).to.equal(200);
      expect((await openedBy(stack, link)).id).not.to.equal(charge.id);
      const replaced = (await payPage(charge)).text;
      expect(offersRetry(replaced)).to.equal(false);
      expect(buttonOf(replaced)).to.deep.equal([link.url, 'Start again']);
    });

    it('leads back to the link when the charge expired', async () => {
      const link = await newLink(stack);
      const charge = await openedBy(stack, link);
      await putCharge(stack, charge, 'failed');
      await stack.sql`update charges set failure_cause = 'expired' where id = ${charge.id}`;
      expect(buttonOf((await payPage(charge)).text)).to.deep.equal([link.url, 'Start again']);
    });

    it('shows the payment, and so does the link afterwards', async () => {
      const link = await newLink(stack);
      const charge = await opened(link);
      await stack.control.pay(charge.reference, { notify: false });
      const { text } = await payPage(charge, '?returned=1');
      expect([titleOf(text), buttonOf(text)]).to.deep.equal(['Payment received', undefined]);
      expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: charge.id });
      for (const look of [visit, submit]) {
        const { status, text: shown } = await look(stack, link);
        expect([status, titleOf(shown)]).to.deep.equal([200, 'This has been paid']);
      }
    });

    it('asks for no payment once another charge has paid the link', async () => {
      const link = await newLink(stack);
      const early = await opened(link);
      await stack.control.pay(early.reference, { outcome: 'failed' });
      await payPage(early, '?returned=1');
      const second = await opened(link);
      expect(await stateOf(second)).to.equal('ready');
      await stack.sql`update payment_links set status = 'paid', transaction_id = ${early.id}
      where id = ${link.id}`;
      const { text } = await payPage(second);
      expect([titleOf(text), buttonOf(text)]).to.deep.equal(['This has been paid', undefined]);
      expect(text).to.include('data-next=""').and.include('Please do not pay again.');
      expect(await stateOf(second)).to.equal('superseded');
      await stack.control.pay(second.reference, { notify: false });
      await stack.api.get(`/charges/${second.reference}`);
      expect(titleOf((await payPage(second)).text)).to.equal('Payment received');
    });
  });
});
