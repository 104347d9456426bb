import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { paidOut, withSettlementFixture } from './with-fixture.ts';

describe('Reconciling a settlement', () => {
  describe('of a provider that is asked payment by payment', () => {
    const { fixture, passDays } = withSettlementFixture('monnify');

    it('asks about other payments where the answer about one fails, and finds that one missing', async () => {
      const odd = await fixture.pay();
      passDays(3);
      const [one, two] = [await fixture.pay(), await fixture.pay()];
      passDays(5);
      fixture.payOut([one, two]);
      const { provider } = fixture.context;
      const unclear = new ProviderError('unknown', 'test', 'the answer is about another payment');
      fixture.context.provider = {
        ...provider,
        findSettlement: (paymentId, options) =>
          paymentId === odd.capture.providerPaymentId
            ? Promise.reject(unclear)
            : provider.findSettlement(paymentId, options),
      };
      expect(await fixture.reconcile()).to.include({ isDone: true, error: null });
      expect(await fixture.charge(two)).to.include({ status: 'settled' });
      const found = await fixture.discrepancies();
      expect(found.map(({ kind, charge_id: id }) => [kind, id])).to.deep.equal([
        ['missing', odd.chargeId],
      ]);
      const run = await fixture.reconcile();
      expect(run, 'nothing was answered').to.deep.include({ isDone: false, error: unclear });
    });
  });

  describe('that is settled', () => {
    const { fixture, paid, reconciled } = withSettlementFixture();

    it('computes totals again when a payment has grown, or its fee is stated later', async () => {
      const [grown, unstated] = await paid({}, { feeKobo: null });
      fixture.payOut([grown, unstated], { amountKobo: 982_500 });
      await reconciled();
      grown.capture.amountKobo = 600_000;
      unstated.capture.feeKobo = 9_000;
      await fixture.verify(grown);
      await fixture.verify(unstated);
      await reconciled(['amount_mismatch', 100_000], ['surplus', -9_000]);
      expect((await paidOut(fixture))[0]).to.include({
        ...{ expected_amount_kobo: 1_073_500, landed_amount_kobo: 982_500, status: 'short' },
      });
    });
  });
});
