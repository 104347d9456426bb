import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { answerNext, interceptCalls } from '../../support/intercept.ts';
import { approvedRefund, type Refund, refundRow } from '../../support/refunds.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { describeForEachProvider } from './fixture.ts';

const kinds = ['whole', 'part', 'failing', 'needsAttention'] as const;
type Each<What> = Record<(typeof kinds)[number], What>;

function each<What>(values: readonly What[]): Each<What> {
  return Object.fromEntries(kinds.map((kind, index) => [kind, values[index]])) as Each<What>;
}

const sends = {
  paystack: /\/paystack\/refund$/,
  flutterwave: /\/flutterwave\/transactions\/\d+\/refund$/,
  monnify: /\/monnify\/api\/v1\/refunds\/initiate-refund$/,
};

describeForEachProvider('A refund', (fixture) => {
  const { stack, name, pass, paid, history, counting, faults } = fixture;
  const { expectTransaction, expectWebhooks } = fixture;
  const asked = ['refund.requested', 'refund.approved'];

  describe('that is approved', () => {
    let charges: Each<Checkout>;
    let refunds: Each<Refund>;
    let sent: number;
    before(async () => {
      charges = each(await fixture.together(kinds.map(() => ({}))));
      const counted = await counting();
      await stack.control.planRefund(charges.failing.reference, 'failed');
      await stack.control.planRefund(charges.needsAttention.reference, 'needs-attention');
      const amountOf = (kind: string) => (kind === 'part' ? 30_000 : undefined);
      const requested = await Promise.all(
        kinds.map((kind) => approvedRefund(stack, charges[kind], amountOf(kind))),
      );
      await finish();
      refunds = each(await Promise.all(requested.map(read)));
      sent = (await counted()).refunds;
    });

    const read = async ({ id }: Refund): Promise<Refund> =>
      (await stack.api.get(`/refunds/${id}`)).json;
    const finish = async () => {
      await stack.settle();
      for (let step = 0; step < 2; step++) await pass(3 * SECOND);
    };
    const again = async (charge: Checkout) => {
      const refund = await approvedRefund(stack, charge);
      await finish();
      return read(refund);
    };

    it('is sent once', () => {
      expect(sent).to.equal(4);
    });

    it('of the whole payment makes the charge refunded, with a webhook of each step', async () => {
      const completed = { status: 'completed', amount_kobo: 100_000 };
      expect(refunds.whole).to.include({ ...completed, origin: 'merchant', attention: null });
      await expectTransaction(charges.whole, { status: 'refunded', refunded_kobo: 100_000 });
      expectWebhooks(charges.whole, 'charge.succeeded', ...asked, 'refund.completed');
      expect((await history(charges.whole)).slice(3)).to.deep.equal([
        ...['refund.requested', 'refund.approved', 'refund.processing'],
        ...['refund.accepted', 'refund.completed', 'charge.refunded'],
      ]);
    });

    it('of a part leaves the charge succeeded; the last part makes it refunded', async () => {
      expect(refunds.part).to.include({ status: 'completed', amount_kobo: 30_000 });
      await expectTransaction(charges.part, { status: 'succeeded', refunded_kobo: 30_000 });
      expect(await again(charges.part)).to.include({ status: 'completed', amount_kobo: 70_000 });
      await expectTransaction(charges.part, { status: 'refunded', refunded_kobo: 100_000 });
      expect(await fixture.refunds(charges.part)).to.deep.equal(
        [30_000, 70_000].map((kobo) => `merchant completed ${kobo}`),
      );
    });

    it('that fails at the provider shows why, frees its amount, and may be requested again', async () => {
      expect(refunds.failing.status).to.equal('failed');
      expect(refunds.failing.failure_message).to.match(/^[A-Z][a-z].+/);
      await expectTransaction(charges.failing, { status: 'succeeded', refunded_kobo: 0 });
      expect(await again(charges.failing)).to.include({ status: 'completed' });
      expectWebhooks(
        charges.failing,
        'charge.succeeded',
        ...asked,
        'refund.failed',
        ...[...asked, 'refund.completed'],
      );
    });

    it('of a card payment completes, or cannot be asked for where the provider refunds no cards', async () => {
      const charge = await paid({ channel: 'card' });
      if (name !== 'monnify')
        return void expect(await again(charge)).to.include({ status: 'completed' });
      const { reference } = charge;
      const { status, json } = await stack.api.post('/refunds', { reference, reason: 'Worn' });
      expect([status, json.error.code]).to.deep.equal([409, 'invalid_state']);
      expect(json.error.message).to.include('bank transfers only').and.include('dashboard');
      expectWebhooks(charge, 'charge.succeeded');
    });

    it('that needs attention at the provider stays processing, without another webhook', async () => {
      const { status, attention } = refunds.needsAttention;
      expect(status).to.equal('processing');
      // The other providers have no such status: theirs is a refund that is not completed yet.
      if (name === 'paystack') expect(attention.reason).to.match(/^[A-Z][a-z].+/);
      else expect(attention).to.equal(null);
      await pass(21 * DAY);
      const late = await read(refunds.needsAttention);
      expect(late.status).to.equal('processing');
      expect(late.attention.reason, 'after 20 days').to.match(/^[A-Z][a-z].+/);
      expectWebhooks(charges.needsAttention, 'charge.succeeded', ...asked);
    });
  });

  describe('whose answer was lost', () => {
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
      expectWebhooks(charge, 'charge.succeeded', ...asked, 'refund.completed');
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
});
