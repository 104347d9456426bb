import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { sandboxRefunds } from '../../support/sandbox-store.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment', (fixture) => {
  const { stack, name, slot, open, pay, pass, read, decide, refunds, together } = fixture;
  const { counting, faults, expectStored, expectTransaction, expectWebhooks } = fixture;

  describe('of the wrong amount', () => {
    const byCardStays = name === 'monnify';
    let accepted: Checkout;
    let returned: Checkout;
    let over: Checkout;
    let byCard: Checkout;
    before(async () => {
      const [less, more] = [{ amount_kobo: 60_000 }, { amount_kobo: 150_000 }];
      [accepted, returned, over, byCard] = await together([
        ...([less, less, more, { ...less, channel: 'card' }] as const),
      ]);
    });

    const expectSentBack = async (charge: Checkout, kobo: number) => {
      await pass(3 * SECOND);
      expect(await refunds(charge)).to.deep.equal([`system completed ${kobo}`]);
      const seen = sandboxRefunds(stack, charge);
      expect(seen.map(({ amountKobo, status }) => [amountKobo, status])).to.deep.equal([
        [kobo, 'completed'],
      ]);
      await expectStored(charge, { refunded_kobo: 0, review: [] });
    };

    it('is refunded when it is too small and returned, and the charge stays open', async () => {
      await expectStored(returned, { status: 'pending', review: ['underpaid'] });
      const decided = await decide(returned, 'return');
      expect(decided).to.include({ reason: 'underpaid', status: 'returned', amount_kobo: 60_000 });
      await expectSentBack(returned, 60_000);
      await expectStored(returned, { status: 'pending' });
    });

    it('completes the charge when it is too large; only the excess is refunded when returned', async () => {
      await expectStored(over, { status: 'succeeded', review: ['overpaid'], amount_kobo: 100_000 });
      const decided = await decide(over, 'return');
      expect(decided).to.include({ reason: 'overpaid', status: 'returned', amount_kobo: 50_000 });
      await expectSentBack(over, 50_000);
      await expectTransaction(over, { status: 'succeeded', refunded_kobo: 0 });
      expectWebhooks(over, 'charge.succeeded');
    });

    it('stays in review when the provider cannot refund it', async () => {
      await decide(byCard, 'return');
      if (!byCardStays) return expectSentBack(byCard, 60_000);
      expect(await refunds(byCard)).to.deep.equal(['system failed 60000']);
      await expectStored(byCard, { status: 'pending', review: ['extra_capture'] });
    });

    it('keeps the charge pending past its end while it is too small and undecided; accepted, it completes the charge', async () => {
      await pass(DAY + MINUTE);
      await expectStored(accepted, { status: 'pending', review: ['underpaid'] });
      expectWebhooks(accepted);
      const decided = await decide(accepted, 'accept');
      expect(decided).to.include({ reason: 'underpaid', status: 'accepted', amount_kobo: 60_000 });
      const paid = { amount_kobo: 100_000, provider: slot };
      await expectTransaction(accepted, { status: 'succeeded', ...paid });
      expectWebhooks(accepted, 'charge.succeeded');
    });

    it('no longer delays the end of the charge once it is decided', async () => {
      for (const charge of [returned, byCard]) {
        await expectStored(charge, { status: 'failed', failure_cause: 'expired' });
        expectWebhooks(charge, 'charge.failed');
      }
      if (!byCardStays) return;
      const decided = await decide(byCard, 'accept');
      expect(decided).to.include({ status: 'accepted', amount_kobo: 60_000 });
      await expectStored(byCard, { status: 'failed', review: [] });
    });

    it('once returned, can be paid at once: the payer gets a new link, and its payment completes the charge', async () => {
      const [charge] = await together([{ amount_kobo: 60_000 }]);
      expect(await fixture.visit(charge), 'while a person decides').to.equal(undefined);
      await decide(charge, 'return');
      for (let step = 0; step < 2; step++) await pass(3 * SECOND);
      await fixture.visit(charge);
      await stack.settle();
      expect(await fixture.visit(charge)).to.be.a('string');
      await pay(charge);
      await expectTransaction(charge, { status: 'succeeded', refunded_kobo: 0 });
      expectWebhooks(charge, 'charge.succeeded');
    });
  });

  describe('of the amount asked for', () => {
    it('is recorded by the provider’s notification, and the merchant gets one webhook', async () => {
      const counted = await counting();
      const charge = await open({ amount_kobo: 250_050 });
      const unpaid = { status: 'open', provider: slot, transaction: null };
      expect(await read(charge)).to.include(unpaid);
      await pay(charge);
      const { transaction, status } = await read(charge);
      expect(status).to.equal('completed');
      expect(transaction).to.include({
        ...{ status: 'succeeded', amount_kobo: 250_050, provider: slot, channel: 'bank_transfer' },
        ...{ recovered: false, failure_message: null, refunded_kobo: 0 },
      });
      expect(transaction!.fee_kobo).to.be.greaterThan(0);
      expect(transaction!.net_kobo).to.equal(250_050 - transaction!.fee_kobo);
      const listed = await stack.api.get(`/transactions/${transaction!.id}`);
      expect(listed.json).to.deep.equal(transaction);
      expectWebhooks(charge, 'charge.succeeded');
      const bodies = stack.receiver.received.map(({ body }) => JSON.parse(body).data);
      expect(bodies).to.deep.include(transaction);
      expect(await fixture.history(charge)).to.deep.equal([
        ...['charge.initiated', 'charge.pending', 'charge.succeeded'],
      ]);
      const { captures, attempts } = await stored(stack, charge);
      expect(captures).to.have.length(1);
      expect(captures[0]).to.include({
        ...{ status: 'applied', amount_kobo: 250_050 },
        provider_payment_id: transaction!.provider_reference,
      });
      expect(attempts.map((attempt) => attempt.status)).to.deep.equal(['captured']);
      expect(await counted()).to.include({
        ...{ creates: 1, distinct_references: 1, captures: 1, refunds: 0, notifications: 1 },
      });
    });

    it('sends one webhook though every notification comes twice', async () => {
      await faults({ duplicate_notifications: true });
      const charge = await fixture.paid();
      expectWebhooks(charge, 'charge.succeeded');
      expect((await stored(stack, charge)).captures).to.have.length(1);
    });

    it('is found by verifying when no notification arrives', async () => {
      await faults({ drop_notifications: true });
      const charge = await open();
      await pay(charge);
      await expectStored(charge, { status: 'pending' });
      await pass(11 * SECOND);
      await expectStored(charge, { status: 'succeeded' });
      expectWebhooks(charge, 'charge.succeeded');
    });

    if (name !== 'monnify') return;

    it('is collected though every login token is revoked early', async () => {
      const counted = await counting();
      await stack.control.expireTokens();
      const charge = await open();
      await stack.control.expireTokens();
      await pay(charge);
      expect(await read(charge)).to.include({ status: 'completed' });
      expect(await counted()).to.include({ creates: 1, captures: 1 });
    });
  });
});
