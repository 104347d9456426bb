import { expect } from 'chai';
import { checkoutIdOf } from '../../../domain/shared/ids.ts';
import { putCharge } from '../../support/charges.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import {
  newLink,
  openedBy,
  readLink,
  submit,
  titleOf,
  visit,
} from '../../support/payment-links.ts';
import { useStack } from '../../support/stack.ts';
import { payPagesOf } from './pay-fixture.ts';

const buttonOf = (html: string) => /<a class="button" href="([^"]*)">([^<]*)</.exec(html)?.slice(1);

describe('The pay page of a payment link’s charge', () => {
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

  it('leads back to the link when the payment failed, where the next charge is created', async () => {
    const link = await newLink(stack);
    const charge = await opened(link);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    const { text } = await payPage(charge, '?returned=1');
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).to.include('You can try again.');
    expect(buttonOf(text)).to.deep.equal([link.url, 'Try again']);
    expect((await visit(stack, link)).status).to.equal(200);
    expect((await openedBy(stack, link)).id).not.to.equal(charge.id);
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
