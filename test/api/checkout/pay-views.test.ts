import { expect } from 'chai';
import { type Checkout, newCharge, stored } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { expectPage, titleOf } from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { linkOf, offersRetry, payPagesOf } from './pay-fixture.ts';

describe('The pay page', () => {
  const stack = useStack({ workers: false });
  const pages = payPagesOf(stack);
  const { payPage, retry, status } = pages;
  afterEach(() => stack.control.faults());
  const verifies = async () => (await stack.control.stats()).paystack!.verifies;

  it('shows merchant, amount and description while no attempt is open yet', async () => {
    const checkout = await pages.create();
    const page = await writingNothing(stack, () => payPage(checkout));
    expectPage(page, 200, 'Preparing your payment');
    const { text } = page;
    for (const shown of ['Test Store', '₦12,500.50', 'Two bags of rice', 'Test mode'])
      expect(text).to.include(shown);
    expect(text).to.include(checkout.reference);
    expect(linkOf(text)).to.equal(undefined);
    expect(await status(checkout)).to.deep.equal({ status: 'preparing' });
  });

  it('leads to the provider’s page once an attempt is open', async () => {
    const checkout = await pages.createOpen();
    const [payment] = await stack.control.payments(checkout.reference);
    const { text } = await payPage(checkout);
    expect(titleOf(text)).to.equal('Your payment is ready');
    expect(linkOf(text)).to.equal(payment!.checkout_url);
    expect(text).to.include(`data-next="${payment!.checkout_url}"`);
    expect(await status(checkout)).to.deep.equal({ status: 'ready' });
  });

  it('waits for confirmation after the payer came back, with the link to the provider still shown', async () => {
    const checkout = await pages.createOpen();
    const { text } = await payPage(checkout, '?returned=1&trxref=x&reference=y');
    expect(titleOf(text)).to.equal('Waiting for confirmation');
    expect(linkOf(text)).to.equal(
      (await stack.control.payments(checkout.reference))[0]!.checkout_url,
    );
    expect(await status(checkout, '?returned=1')).to.deep.equal({ status: 'confirming' });
  });

  it('verifies when the payer comes back, and shows the payment', async () => {
    const checkout = await pages.createOpen({
      return_url: 'https://shop.example/done?order=7#top',
    });
    await stack.control.pay(checkout.reference, { notify: false });
    const { text } = await payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('Payment received');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?order=7&reference=${checkout.reference}&status=succeeded#top`,
    );
    expect(await status(checkout)).to.deep.equal({ status: 'done' });
  });

  it('verifies at most once a second, however many visits say that the payer came back', async () => {
    const checkout = await pages.createOpen();
    const before = await verifies();
    const visits = Array.from({ length: 20 }, () => payPage(checkout, '?returned=1'));
    for (const { status: answered } of await Promise.all(visits)) expect(answered).to.equal(200);
    expect(await verifies()).to.equal(before + 1);
    for (let asks = 0; asks < 5; asks++) await status(checkout, '?returned=1');
    expect(await verifies(), 'the status asks nobody').to.equal(before + 1);
    stack.clock.advance(SECOND);
    await payPage(checkout, '?returned=1');
    expect(await verifies()).to.equal(before + 2);
  });

  it('shows why the payment was declined, and returns with that status', async () => {
    const checkout = await pages.createOpen({ return_url: 'https://shop.example/done' });
    await stack.control.pay(checkout.reference, { outcome: 'failed' });
    const { text } = await payPage(checkout, '?returned=1');
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).to.include('The reason given: Declined. You can');
    expect(linkOf(text)).to.equal(
      `https://shop.example/done?reference=${checkout.reference}&status=failed`,
    );
    expect(await status(checkout)).to.deep.equal({ status: 'failed' });
  });

  describe('of a declined charge', () => {
    const declinedCharge = async (more: object = {}) => {
      const checkout = await pages.createOpen(more);
      await stack.control.pay(checkout.reference, { outcome: 'failed', notify: false });
      await payPage(checkout, '?returned=1');
      return checkout;
    };
    const statusesOf = async (checkout: Checkout) => {
      const { status: chargeStatus, attempts } = await stored(stack, checkout);
      return [chargeStatus, ...attempts.map((attempt) => `${attempt.slot} ${attempt.status}`)];
    };

    it('offers another try, which leads to another provider and recovers the charge', async () => {
      const checkout = await declinedCharge({ return_url: 'https://shop.example/done' });
      expect(offersRetry((await payPage(checkout)).text)).to.equal(true);
      const answer = await retry(checkout);
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([
        303,
        checkout.checkout_url,
      ]);
      const preparing = (await payPage(checkout)).text;
      expect([titleOf(preparing), offersRetry(preparing)]).to.deep.equal([
        'Preparing your payment',
        false,
      ]);
      expect(preparing).to.include('This takes a moment.');
      expect(await status(checkout)).to.deep.equal({ status: 'preparing', retrying: true });
      await openAtProvider(stack, checkout.reference);
      expect(await statusesOf(checkout)).to.deep.equal([
        ...['failed', 'provider_a declined', 'provider_b open'],
      ]);
      const { attempts } = await stored(stack, checkout);
      expect(linkOf((await payPage(checkout)).text)).to.equal(attempts[1]!.url);
      expect(await status(checkout)).to.deep.equal({ status: 'ready', retrying: true });
      const read = async () => (await stack.api.get(`/charges/${checkout.reference}`)).json;
      expect(await read(), 'merchants heard of the decline').to.include({ status: 'failed' });
      await stack.control.pay(attempts[1]!.reference, { notify: false });
      stack.clock.advance(SECOND);
      expect(titleOf((await payPage(checkout, '?returned=1')).text)).to.equal('Payment received');
      expect((await read()).transaction).to.include({ status: 'succeeded', recovered: true });
    });

    it('opens one payment, however often and from however many tabs it is asked to', async () => {
      const checkout = await declinedCharge();
      const answers = await Promise.all(Array.from({ length: 5 }, () => retry(checkout)));
      for (const answer of answers) expect(answer.status).to.equal(303);
      await writingNothing(stack, () => retry(checkout));
      expect(await statusesOf(checkout)).to.deep.equal([
        ...['failed', 'provider_a declined', 'provider_b queued'],
      ]);
    });

    it('finds that it was paid after all, and opens nothing', async () => {
      const checkout = await declinedCharge();
      await stack.control.pay(checkout.reference, { notify: false });
      stack.clock.advance(SECOND);
      expect((await retry(checkout)).status).to.equal(303);
      expect(titleOf((await payPage(checkout)).text)).to.equal('Payment received');
      expect(await statusesOf(checkout)).to.deep.equal(['succeeded', 'provider_a captured']);
    });

    it('offers none once the merchant has cancelled it', async () => {
      const checkout = await declinedCharge();
      expect((await stack.api.post(`/charges/${checkout.reference}/cancel`)).json.status).to.equal(
        'failed',
      );
      expect(offersRetry((await payPage(checkout)).text)).to.equal(false);
      await writingNothing(stack, () => retry(checkout));
    });
  });

  const failed = (cause: string, message: string) =>
    `status = 'failed', failure_cause = '${cause}', failure_message = '${message}'`;
  const noSuccess = 'The payment did not go through';
  const hidden = 'hides from the payer why a provider refused the merchant';
  const ended: [what: string, columns: string, title: string, status: string][] = [
    [hidden, failed('refused', 'Invalid key (HTTP 401)'), noSuccess, 'failed'],
    [
      'shows that the charge expired',
      failed('expired', 'late'),
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
  for (const [what, columns, title, expected] of ended)
    it(what, async () => {
      const checkout = await pages.create();
      const number = checkout.reference.slice(3);
      await stack.context.db.query(`update charges set ${columns} where number = ${number}`);
      const { text } = await payPage(checkout);
      expect(titleOf(text)).to.equal(title);
      expect(text).not.to.include('Invalid key');
      expect(await status(checkout)).to.deep.equal({ status: expected });
    });

  describe('of a charge the merchant cancels', () => {
    let checkout: Checkout;
    beforeEach(async () => {
      checkout = await pages.createOpen({ return_url: 'https://shop.example/' });
    });
    const cancel = async () =>
      (await stack.api.post(`/charges/${checkout.reference}/cancel`)).json.status;

    it('waits, without the provider’s link, while the provider is asked', async () => {
      const [payment] = await stack.control.payments(checkout.reference);
      expect((await payPage(checkout)).text).to.include(payment!.checkout_url);
      await stack.control.faults({ provider: 'paystack', error_rate: 1 });
      expect(await cancel()).to.equal('open');
      for (const query of ['', '?returned=1']) {
        const { text } = await payPage(checkout, query);
        expect(titleOf(text)).to.equal('This checkout is being closed');
        expect(text).not.to.include(payment!.checkout_url);
        expect(text).to.include('http-equiv="refresh"');
        expect(await status(checkout, query)).to.deep.equal({ status: 'closing' });
      }
    });

    it('shows that it is cancelled, with the way back', async () => {
      expect(await cancel()).to.equal('failed');
      const { text } = await payPage(checkout);
      expect(titleOf(text)).to.equal('The payment did not go through');
      expect(text).to.include('Test Store has cancelled it. You can');
      expect(linkOf(text)).to.equal(
        `https://shop.example/?reference=${checkout.reference}&status=failed`,
      );
      expect(await status(checkout)).to.deep.equal({ status: 'failed' });
    });
  });

  describe('when the provider’s link has ended', () => {
    const attemptsOf = async (charge: Checkout) =>
      (await stored(stack, charge)).attempts.map((attempt) => attempt.status);

    const ranOut = async (): Promise<Checkout> => {
      const charge = await newCharge(stack);
      await openAtProvider(stack, charge.reference);
      await stack.sql`update attempts
      set link_expires_at = ${new Date(stack.clock().getTime() + 40 * MINUTE)}
      where charge_id = (select id from charges where number = ${charge.reference.slice(3)})`;
      stack.clock.advance(41 * MINUTE);
      return charge;
    };

    it('verifies the attempt, opens the next one and leads there', async () => {
      const charge = await ranOut();
      const old = (await stored(stack, charge)).attempts[0]!;
      const before = await verifies();
      const first = await payPage(charge);
      expectPage(first, 200, 'Preparing your payment');
      expect(linkOf(first.text)).to.equal(undefined);
      expect(first.text).not.to.include(old.url);
      expect(await verifies()).to.equal(before + 1);
      expect(await attemptsOf(charge)).to.deep.equal(['expired', 'queued']);
      expect(await status(charge)).to.deep.equal({ status: 'preparing' });

      await openAtProvider(stack, charge.reference);
      const { attempts, status: chargeStatus } = await stored(stack, charge);
      expect([attempts[1]!.status, chargeStatus]).to.deep.equal(['open', 'pending']);
      expect(await status(charge)).to.deep.equal({ status: 'ready' });
      const second = await writingNothing(stack, () => payPage(charge));
      expect(linkOf(second.text)).to.equal(attempts[1]!.url).and.not.to.equal(old.url);
    });

    it('shows a payment that came in the last minute, and opens no attempt', async () => {
      const charge = await ranOut();
      await stack.control.pay(charge.reference, { notify: false });
      expect(titleOf((await payPage(charge)).text)).to.equal('Payment received');
      expect(await attemptsOf(charge)).to.deep.equal(['captured']);
    });

    it('opens no attempt while the provider is silent, and verifies again', async () => {
      const charge = await ranOut();
      await stack.control.faults({ provider: 'paystack', error_rate: 1 });
      const { text } = await writingNothing(stack, () => payPage(charge));
      expect([titleOf(text), linkOf(text)]).to.deep.equal(['Preparing your payment', undefined]);
      await stack.control.faults();
      stack.clock.advance(2 * SECOND);
      expect(await status(charge)).to.deep.equal({ status: 'preparing' });
      expect(await attemptsOf(charge), 'the waiting page asked').to.deep.equal([
        'expired',
        'queued',
      ]);
    });

    it('lets a payer who comes back unpaid continue', async () => {
      const charge = await ranOut();
      const { text } = await payPage(charge, '?returned=1');
      expect(titleOf(text)).to.equal('Waiting for confirmation');
      expect(linkOf(text), 'to the page that leads on').to.equal(`/pay/${charge.id}`);
      expect(await attemptsOf(charge)).to.deep.equal(['expired', 'queued']);
    });
  });
});
