import { expect } from 'chai';
import { type Checkout, newCharge, stored } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { expectPage, titleOf } from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { linkOf, payPagesOf } from './pay-fixture.ts';

describe('The pay page, when the provider’s link has ended', () => {
  const stack = useStack({ workers: false });
  afterEach(() => stack.control.faults());

  const { payPage, status } = payPagesOf(stack);
  const verifies = async () => (await stack.control.stats()).paystack!.verifies;
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
    expect(await attemptsOf(charge), 'the waiting page asked').to.deep.equal(['expired', 'queued']);
  });

  it('lets a payer who comes back unpaid continue', async () => {
    const charge = await ranOut();
    const { text } = await payPage(charge, '?returned=1');
    expect(titleOf(text)).to.equal('Waiting for confirmation');
    expect(linkOf(text), 'to the page that leads on').to.equal(`/pay/${charge.id}`);
    expect(await attemptsOf(charge)).to.deep.equal(['expired', 'queued']);
  });
});
