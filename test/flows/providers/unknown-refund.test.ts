import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { answerNext, interceptCalls } from '../../support/intercept.ts';
import { approvedRefund, refundRow } from '../../support/refunds.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A refund whose answer was lost', (fixture) => {
  interceptCalls();

  const expectOnce = async (charge: { reference: string }, { id }: { id: string }) => {
    expect((await fixture.stack.api.get(`/refunds/${id}`)).json).to.include({
      status: 'completed',
      attention: null,
    });
    expect(await stored(fixture.stack, charge)).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(fixture.webhooksOf(charge)).to.deep.equal([
      'charge.succeeded succeeded',
      'refund.completed completed',
    ]);
  };

  const refundUnanswered = async (charge: Checkout) => {
    await fixture.faults({ timeout_after_accept_rate: 1, drop_notifications: true });
    const refund = await withShortTimeouts(fixture.stack, ['createMs'], async () => {
      const approved = await approvedRefund(fixture.stack, charge);
      await fixture.stack.settle();
      return approved;
    });
    await fixture.faults({ drop_notifications: true });
    return refund;
  };

  it('is found at the provider, and refunded once', async () => {
    const charge = await fixture.paid();
    const counted = await fixture.counting();
    const refund = await refundUnanswered(charge);
    expect(await refundRow(fixture.stack, refund)).to.include({
      status: 'unconfirmed',
      accepted_at: null,
    });
    await fixture.pass(5 * MINUTE);
    await expectOnce(charge, refund);
    expect(await counted()).to.include({ refunds: 1 });
  });

  if (fixture.name !== 'monnify') {
    it('is never sent again though the provider shows none, and asks for a person’s attention', async () => {
      const charge = await fixture.paid();
      const counted = await fixture.counting();
      breakAnswer(
        fixture.name === 'paystack'
          ? '/paystack/refund'
          : /\/flutterwave\/transactions\/\d+\/refund$/,
      );
      const refund = await approvedRefund(fixture.stack, charge);
      await fixture.stack.settle();
      for (const wait of [5 * MINUTE, 25 * MINUTE, 90 * MINUTE]) await fixture.pass(wait);
      expect((await refundRow(fixture.stack, refund)).attention).to.include('not sent again');
      expect(await counted()).to.include({ refunds: 0 });
    });
    return;
  }

  const sendsOf = '/monnify/api/v1/refunds/initiate-refund';

  it('is sent again under its id when the provider shows none', async () => {
    const charge = await fixture.paid();
    const counted = await fixture.counting();
    breakAnswer(sendsOf);
    const refund = await approvedRefund(fixture.stack, charge);
    await fixture.stack.settle();
    expect(await refundRow(fixture.stack, refund)).to.include({
      status: 'unconfirmed',
      accepted_at: null,
    });
    expect(await counted()).to.include({ refunds: 0 });
    for (let step = 0; step < 3; step++) await fixture.pass(3 * SECOND);
    await expectOnce(charge, refund);
    expect(await counted()).to.include({ refunds: 1 });
  });

  it('is refunded once though it is sent again because the provider did not show it yet', async () => {
    const charge = await fixture.paid();
    const counted = await fixture.counting();
    const refund = await refundUnanswered(charge);
    const notYet = {
      requestSuccessful: false,
      responseMessage: 'Refund does not exist',
      responseCode: 'R7',
    };
    const look = answerNext(
      'GET',
      `${fixture.stack.sandbox.url}/monnify/api/v1/refunds/${refund.id}`,
    ).with(404, notYet);
    await fixture.pass(3 * SECOND);
    expect(look.isDone()).to.equal(true);
    expect(await counted(), 'sent again, refused as a duplicate').to.include({ refunds: 1 });
    await fixture.pass(MINUTE);
    await expectOnce(charge, refund);
    expect(await counted()).to.include({ refunds: 1 });
  });

  /** The next call of this path fails without an effect, which the caller cannot know. */
  function breakAnswer(path: string | RegExp): void {
    answerNext(
      'POST',
      typeof path === 'string' ? `${fixture.stack.sandbox.url}${path}` : path,
    ).with(502, '<html>Bad gateway</html>');
  }
});
