import { expect } from 'chai';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { csrfOf, dashboardMember, type Page } from '../../support/dashboard.ts';
import { unescaped } from '../../support/html.ts';
import { liveShop } from '../../support/live-shop.ts';
import { mailSettings } from '../../support/mailbox.ts';
import { newLink } from '../../support/payment-links.ts';
import { generousLimits, type Stack, useStack } from '../../support/stack.ts';

const TO = 'ada@payer.example';

describe('Mail to a payer, from the dashboard', () => {
  const limits = { ...generousLimits, payerMail: rateLimits.payerMail };
  const env = { mail: mailSettings, rateLimits: limits };
  const stack = useStack({ workers: false, newTenants: true, books: false, env });

  const inLiveMode = async (role: 'support' | 'finance') => {
    const member = await dashboardMember(stack, stack.tenant, role);
    await member.post('/mode', { csrf: csrfOf(member) });
    const post = (path: string) => member.post(path, { csrf: csrfOf(member, 'live') });
    return { ...member, post };
  };
  const paid = async (shop: Stack) => {
    const charge = await newCharge(shop, { email: TO });
    await putCharge(shop, charge, 'succeeded');
    return charge;
  };
  const wordsOf = ({ html }: Page) => unescaped(html);
  const mails = async () =>
    stack.sql`select kind from mails where tenant_id = ${stack.tenant.tenant_id} order by id`;

  it('is offered to support by what a charge is, names the address first, and is bounded', async () => {
    const shop = await liveShop(stack);
    const [{ reference }, open] = [await paid(shop), await newCharge(shop, { email: TO })];
    const support = await inLiveMode('support');
    const finance = await inLiveMode('finance');
    for (const [charge, button] of [
      [reference, 'Mail the receipt'],
      [open.reference, 'Mail the checkout'],
    ] as const) {
      const page = `/transactions/${charge}`;
      expect((await support.get(page)).html).to.include(`>${button}</button>`);
      expect((await finance.get(page)).html).not.to.include(button);
      const question = await support.get(`${page}/mail`);
      expect(wordsOf(question)).to.include(`${button}?`).and.include(TO).and.include(charge);
      expect((await support.post(`${page}/mail`)).location).to.equal(page);
      expect(wordsOf(await support.get(page))).to.include('The mail is on its way to the payer.');
    }
    expect(await mails()).to.deep.equal([{ kind: 'receipt' }, { kind: 'checkout' }]);
    for (const status of [303, 303, 429]) {
      const again = await support.post(`/transactions/${reference}/mail`);
      expect(again.status).to.equal(status);
      if (status === 429) expect(again.html).to.include('Mail it again tomorrow');
    }
    expect(await mails()).to.have.length(4);
  });

  it('is offered for each active link that names a customer', async () => {
    const shop = await liveShop(stack);
    const { id } = await newLink(shop, { customer: { email: TO } });
    const other = await newLink(shop, { customer: { name: 'Ada' } });
    const support = await inLiveMode('support');
    const { html } = await support.get('/payment-links');
    expect(html).to.include(`/payment-links/${id}/mail`).and.not.include(`${other.id}/mail`);
    expect(wordsOf(await support.get(`/payment-links/${id}/mail`))).to.include(TO);
    expect((await support.post(`/payment-links/${id}/mail`)).location).to.equal('/payment-links');
    expect(await mails()).to.deep.equal([{ kind: 'payment_link' }]);
    expect((await support.get(`/payment-links/${other.id}/mail`)).status).to.equal(409);
  });

  it('gives way to an address to copy in test mode, and where no mail is sent', async () => {
    const charge = await paid(stack);
    const link = await newLink(stack, { customer: { email: TO } });
    const support = await dashboardMember(stack, stack.tenant, 'support');
    const expectAddress = async (why: string) => {
      for (const path of [`/transactions/${charge.reference}`, '/payment-links']) {
        const page = await support.get(path);
        expect(wordsOf(page), path).to.include(`${why} Copy the address of the payer’s page`);
        expect(page.html, path).not.to.include('/mail"');
      }
      const { html } = await support.get(`/transactions/${charge.reference}`);
      expect(html).to.include(`<dt>Receipt</dt><dd><a href="${charge.checkout_url}"`);
      expect((await support.get(`/payment-links/${link.id}/qr`)).html).to.include('Copy the link');
    };
    await expectAddress('Test mode mails no payer.');
    const { mail } = stack.context;
    stack.context.mail = null;
    await expectAddress('No mail is sent here.');
    stack.context.mail = mail;
  });
});
