import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { expectPage, titleOf } from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { linkOf, payPagesOf } from './pay-fixture.ts';

describe('The pay page', () => {
  const stack = useStack({ workers: false });
  const pages = payPagesOf(stack);

  it('shows merchant, amount and description while no attempt is open yet', async () => {
    const checkout = await pages.create();
    const page = await writingNothing(stack, () => pages.payPage(checkout));
    expectPage(page, 200, 'Preparing your payment');
    const { text } = page;
    for (const shown of ['Test Store', '₦12,500.50', 'Two bags of rice', 'Test mode'])
      expect(text).to.include(shown);
    expect(text).to.include(checkout.reference);
    expect(linkOf(text)).to.equal(undefined);
    expect(await pages.status(checkout)).to.deep.equal({ status: 'preparing' });
  });

  it('leads to the provider’s page once an attempt is open', async () => {
    const checkout = await pages.createOpen();
    const [payment] = await stack.control.payments(checkout.reference);
    const { text } = await pages.payPage(checkout);
    expect(titleOf(text)).to.equal('Your payment is ready');
    expect(linkOf(text)).to.equal(payment!.checkout_url);
    expect(text).to.include(`data-next="${payment!.checkout_url}"`);
    expect(await pages.status(checkout)).to.deep.equal({ status: 'ready' });
  });

  it('waits for confirmation after the payer came back, with the link to the provider still shown', async () => {
    const checkout = await pages.createOpen();
    const { text } = await pages.payPage(checkout, '?returned=1&trxref=x&reference=y');
    expect(titleOf(text)).to.equal('Waiting for confirmation');
    expect(linkOf(text)).to.equal(
      (await stack.control.payments(checkout.reference))[0]!.checkout_url,
    );
    expect(await pages.status(checkout, '?returned=1')).to.deep.equal({ status: 'confirming' });
  });

  it('verifies when the payer comes back, and shows the payment', async () => {
    const checkout = await pages.createOpen({
      return_url: 'https://shop.example/done?order=7#top',
    });
    await stack.control.pay(checkout.reference, { notify: false });
    const { text } = await pages.payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('Payment received');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?order=7&reference=${checkout.reference}&status=succeeded#top`,
    );
    expect(await pages.status(checkout)).to.deep.equal({ status: 'done' });
  });

  it('shows why the payment was declined, and returns with that status', async () => {
    const checkout = await pages.createOpen({ return_url: 'https://shop.example/done' });
    await stack.control.pay(checkout.reference, { outcome: 'failed' });
    const { text } = await pages.payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).to.include('The reason given: Declined. You can');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?reference=${checkout.reference}&status=failed`,
    );
    expect(await pages.status(checkout)).to.deep.equal({ status: 'failed' });
  });

  const ended: [what: string, columns: string, title: string, status: string][] = [
    [
      'hides from the payer why a provider refused the merchant',
      `status = 'failed', failure_cause = 'refused', failure_message = 'Invalid key (HTTP 401)'`,
      'The payment did not go through',
      'failed',
    ],
    [
      'shows that the charge expired',
      `status = 'failed', failure_cause = 'expired', failure_message = 'late'`,
      'This checkout has expired',
      'expired',
    ],
    [
      'does not call a refunded payment received',
      `status = 'refunded'`,
      'This payment was refunded',
      'refunded',
    ],
  ];
  for (const [what, columns, title, status] of ended)
    it(what, async () => {
      const checkout = await pages.create();
      const { db } = stack.context;
      const number = checkout.reference.slice(3);
      await db.query(`update charges set ${columns} where number = $1`, [number]);
      const { text } = await pages.payPage(checkout);
      expect(titleOf(text)).to.equal(title);
      expect(text).not.to.include('Invalid key');
      expect(await pages.status(checkout)).to.deep.equal({ status });
    });

  describe('of a charge the merchant cancels', () => {
    let checkout: Checkout;
    beforeEach(async () => {
      checkout = await pages.createOpen({ return_url: 'https://shop.example/' });
    });
    afterEach(() => stack.control.faults());
    const cancel = async () =>
      (await stack.api.post(`/charges/${checkout.reference}/cancel`)).json.status;

    it('waits, without the provider’s link, while the provider is asked', async () => {
      const [payment] = await stack.control.payments(checkout.reference);
      expect((await pages.payPage(checkout)).text).to.include(payment!.checkout_url);
      await stack.control.faults({ provider: 'paystack', error_rate: 1 });
      expect(await cancel()).to.equal('open');
      for (const query of ['', '?returned=1']) {
        const { text } = await pages.payPage(checkout, query);
        expect(titleOf(text)).to.equal('This checkout is being closed');
        expect(text).not.to.include(payment!.checkout_url);
        expect(text).to.include('http-equiv="refresh"');
        expect(await pages.status(checkout, query)).to.deep.equal({ status: 'closing' });
      }
    });

    it('shows that it is cancelled, with the way back', async () => {
      expect(await cancel()).to.equal('failed');
      const { text } = await pages.payPage(checkout);
      expect(titleOf(text)).to.equal('The payment did not go through');
      expect(text).to.include('Test Store has cancelled it. You can');
      expect(linkOf(text)).to.equal(
        `https://shop.example/?reference=${checkout.reference}&status=failed`,
      );
      expect(await pages.status(checkout)).to.deep.equal({ status: 'failed' });
    });
  });
});
