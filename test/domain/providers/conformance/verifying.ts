import { expect } from 'chai';
import { withoutPayersFee } from '../../../../domain/payments/capture/capture.ts';
import { errorOf } from '../calls.ts';
import { type ConformanceFixture, options } from './fixture.ts';

export function describeVerifying(fixture: ConformanceFixture): void {
  const { traits, opened, verify, captureOf } = fixture;

  const paidBy = async (
    how?: Parameters<typeof fixture.adapter.control.pay>[1],
    overrides?: Parameters<typeof opened>[0],
  ) => {
    const { reference } = await opened(overrides);
    await fixture.adapter.control.pay(reference, how);
    return reference;
  };

  describe('verifying', () => {
    it('finds a reference absent that was never sent', async () => {
      const verification = await verify(fixture.adapter.newReference());
      expect(verification).to.deep.include({
        ...{ state: 'absent', captures: [], hasRefunds: false },
        ...{ failureMessage: null, unknownWords: [] },
      });
    });

    it('states a payment that nobody tried to pay', async () => {
      const { reference } = await opened();
      const untouched = { state: traits.untouched, captures: [], hasRefunds: false };
      expect(await verify(reference)).to.deep.include(untouched);
    });

    it('returns the capture with all its fields, equal each time', async () => {
      const startedMs = fixture.adapter.now().getTime();
      const reference = await paidBy();
      const capture = await captureOf(reference);
      const mode = traits.statesMode ? 'test' : null;
      const paid = { reference, amountKobo: 500_000, currency: 'NGN', channel: 'card', mode };
      expect(capture).to.include(paid);
      expect(capture.providerPaymentId).to.match(/\S/);
      expect(capture.feeKobo).to.satisfy(
        (fee: number) => Number.isInteger(fee) && fee > 0 && fee < 50_000,
      );
      const endedMs = fixture.adapter.now().getTime();
      for (const at of [capture.createdAt ?? capture.capturedAt, capture.capturedAt]) {
        expect(at!.getTime()).to.be.within(startedMs - 1_000, endedMs + 1_000);
      }
      expect(await captureOf(reference)).to.deep.equal(capture);
      const { raw, unknownWords } = await verify(reference);
      expect(raw, 'its evidence').to.include(reference);
      expect(unknownWords).to.deep.equal([]);
    });

    it('keeps every kobo', async () => {
      for (const amountKobo of [10_000, 10_001, 12_345, 100_010, 123_456_789, 99_999_999_999]) {
        const reference = await paidBy({}, { amountKobo });
        expect((await captureOf(reference)).amountKobo, `${amountKobo}`).to.equal(amountKobo);
      }
    });

    it('returns the amount paid, also where it is too little or too much', async () => {
      for (const amountKobo of [499_999, 1, 500_001, 900_000]) {
        const reference = await paidBy({ amount_kobo: amountKobo, channel: 'bank_transfer' });
        expect((await captureOf(reference)).amountKobo).to.equal(amountKobo);
      }
    });

    it('returns what the amount asked is counted from, where the payer bore the fee', async () => {
      const reference = await paidBy({ payer_fee_kobo: 7_600 });
      expect(withoutPayersFee(await captureOf(reference), 500_000)).to.include({
        ...{ amountKobo: 500_000, payerFeeKobo: 7_600, feeKobo: 0 },
      });
    });

    it('returns one of our channels', async () => {
      for (const channel of ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money', 'other']) {
        const reference = await paidBy({ channel });
        expect((await captureOf(reference)).channel).to.equal(
          traits.channels.includes(channel) ? channel : 'other',
        );
      }
    });

    it('shows no payment of other accounts', async () => {
      const reference = await paidBy();
      expect((await fixture.adapter.stranger.verify(reference, options)).state).to.equal('absent');
    });
  });

  describe('a payment that goes wrong', () => {
    it('is found where the answer was lost', async () => {
      const { control, provider, newReference } = fixture.adapter;
      await control.faults({ timeout_after_accept_rate: 1 });
      const reference = newReference();
      const created = provider.create(fixture.orderOf(reference), { timeoutMs: 300 });
      expect((await errorOf(created)).kind).to.equal('unknown');
      await control.faults();
      expect((await verify(reference)).state).to.equal(traits.untouched);
      await control.pay(reference);
      await captureOf(reference);
    });

    const decline = async () => {
      const { reference, payment } = await opened();
      await fixture.adapter.control.pay(reference, { outcome: 'failed' });
      return { reference, payment };
    };

    it('is declined, with a reason', async () => {
      const { failureMessage, ...rest } = await verify((await decline()).reference);
      const declined = { state: traits.declined, captures: [], hasRefunds: false };
      expect(rest).to.deep.include(declined);
      expect(failureMessage).to.match(/^[A-Z].+/);
    });

    it('can be paid afterwards, or not, as its provider allows', async () => {
      const { reference } = await decline();
      const paid = await fixture.adapter.control.pay(reference).then(
        () => true,
        () => false,
      );
      expect(paid).to.equal(traits.paysAfterDecline);
      if (paid) await captureOf(reference);
      else expect((await verify(reference)).state).to.equal(traits.declined);
    });

    if (traits.ended !== null) {
      it('ends when its link expires, and cannot be paid afterwards', async () => {
        const untouched = await opened();
        const declined = await decline();
        await fixture.adapter.pass(untouched.payment.linkExpiresInMs! + 1_000);
        for (const { reference } of [untouched, declined]) {
          const paid = fixture.adapter.control
            .pay(reference)
            .catch((error: Error) => error.message);
          expect(await paid).to.match(/no money|ended/);
        }
        expect((await verify(untouched.reference)).state).to.equal(traits.ended);
        expect((await verify(declined.reference)).state).to.equal(traits.declined);
      });
    }
  });
}
