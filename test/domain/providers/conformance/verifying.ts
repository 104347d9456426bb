import { expect } from 'chai';
import { withoutPayersFee } from '../../../../domain/payments/capture/capture.ts';
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

    it('returns what the amount asked is counted from, where the payer bore the fee', async () => {
      const reference = await paidBy({ payer_fee_kobo: 7_600 });
      expect(withoutPayersFee(await captureOf(reference), 500_000)).to.include({
        ...{ amountKobo: 500_000, payerFeeKobo: 7_600, feeKobo: 0 },
      });
    });

    it('shows no payment of other accounts', async () => {
      const reference = await paidBy();
      expect((await fixture.adapter.stranger.verify(reference, options)).state).to.equal('absent');
    });

    it('states one that was declined, which can be paid afterwards as its provider allows', async () => {
      const reference = await paidBy({ outcome: 'failed' });
      expect((await verify(reference)).state).to.equal(traits.declined);
      const paid = await fixture.adapter.control.pay(reference).then(
        () => true,
        () => false,
      );
      expect(paid).to.equal(traits.paysAfterDecline);
      if (paid) await captureOf(reference);
    });
  });
}
