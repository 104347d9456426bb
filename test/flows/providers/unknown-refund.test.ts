import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { answerNext, interceptCalls } from '../../support/intercept.ts';
import { approvedRefund, refundRow } from '../../support/refunds.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { describeForEachProvider } from './fixture.ts';

const sends = {
  paystack: /\/paystack\/refund$/,
  flutterwave: /\/flutterwave\/transactions\/\d+\/refund$/,
  monnify: /\/monnify\/api\/v1\/refunds\/initiate-refund$/,
};

describeForEachProvider('A refund whose answer was lost', (fixture) => {
  const { stack, name, pass, paid, counting, faults } = fixture;
  interceptCalls();

  const refund = async (charge: Checkout) => {
    const approved = await approvedRefund(stack, charge);
    await stack.settle();
    return approved;
  };
  /** The provider takes it, and no answer arrives. */
  const refundUnanswered = async (charge: Checkout) => {
    await faults({ timeout_after_accept_rate: 1, drop_notifications: true });
    const sent = await withShortTimeouts(stack, ['createMs'], () => refund(charge));
    await faults({ drop_notifications: true });
    return sent;
  };
  /** The call fails without an effect, which the caller cannot know. */
  const refundWithoutEffect = (charge: Checkout) => {
    answerNext('POST', sends[name]).with(502, '<html>Bad gateway</html>');
    return refund(charge);
  };
  const expectUnconfirmed = async (sent: { id: string }) =>
    expect(await refundRow(stack, sent)).to.include({ status: 'unconfirmed', accepted_at: null });
  const expectOnce = async (charge: Checkout, { id }: { id: string }) => {
    const { json } = await stack.api.get(`/refunds/${id}`);
    expect(json).to.include({ status: 'completed', attention: null });
    await fixture.expectStored(charge, { status: 'refunded', refunded_kobo: 100_000 });
    fixture.expectWebhooks(charge, 'charge.succeeded', 'refund.completed');
  };

  it('is found at the provider, and refunded once', async () => {
    const charge = await paid();
    const counted = await counting();
    const sent = await refundUnanswered(charge);
    await expectUnconfirmed(sent);
    await pass(5 * MINUTE);
    await expectOnce(charge, sent);
    expect(await counted()).to.include({ refunds: 1 });
  });

  if (name !== 'monnify') {
    it('is never sent again though the provider shows none, and asks for a person’s attention', async () => {
      const charge = await paid();
      const counted = await counting();
      const sent = await refundWithoutEffect(charge);
      for (const wait of [5 * MINUTE, 25 * MINUTE, 90 * MINUTE]) await pass(wait);
      expect((await refundRow(stack, sent)).attention).to.include('not sent again');
      expect(await counted()).to.include({ refunds: 0 });
    });
    return;
  }

  it('is sent again under its id when the provider shows none', async () => {
    const charge = await paid();
    const counted = await counting();
    const sent = await refundWithoutEffect(charge);
    await expectUnconfirmed(sent);
    expect(await counted()).to.include({ refunds: 0 });
    for (let step = 0; step < 3; step++) await pass(3 * SECOND);
    await expectOnce(charge, sent);
    expect(await counted()).to.include({ refunds: 1 });
  });

  it('is refunded once though it is sent again because the provider did not show it yet', async () => {
    const charge = await paid();
    const counted = await counting();
    const sent = await refundUnanswered(charge);
    const answer = { requestSuccessful: false, responseMessage: 'Refund does not exist' };
    const url = `${stack.sandbox.url}/monnify/api/v1/refunds/${sent.id}`;
    const look = answerNext('GET', url).with(404, { ...answer, responseCode: 'R7' });
    await pass(3 * SECOND);
    expect(look.isDone()).to.equal(true);
    expect(await counted(), 'sent again, refused as a duplicate').to.include({ refunds: 1 });
    await pass(MINUTE);
    await expectOnce(charge, sent);
    expect(await counted()).to.include({ refunds: 1 });
  });
});
