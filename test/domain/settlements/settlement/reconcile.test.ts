import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { DAY } from '../../../support/clock.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { openSettlementFixture, type SettlementFixture } from './fixture.ts';

describe('Reconciling a settlement', () => {
  let ledger: Ledger;
  let fixture: SettlementFixture;
  beforeEach(async () => {
    ledger = await openLedger();
    fixture = await openSettlementFixture(ledger);
  });
  afterEach(() => ledger[Symbol.asyncDispose]());

  it('settles its charges, and computes its totals', async () => {
    const [one, two] = [
      await fixture.pay(),
      await fixture.pay({ amountKobo: 600_000, feeKobo: 19_000 }),
    ];
    ledger.clock.advance(DAY);
    fixture.payOut([one, two]);
    await fixture.reconcile();
    const [settlement] = await fixture.settlements();
    const amounts = {
      expected_amount_kobo: 1_063_500,
      landed_amount_kobo: 1_063_500,
      gross_kobo: 1_100_000,
      fee_kobo: 36_500,
    };
    expect(settlement).to.include({ status: 'landed', transaction_count: 2, ...amounts });
    expect(await fixture.charge(one)).to.include({
      status: 'settled',
      settlement_id: settlement.id,
      fee_kobo: 17_500,
    });
    expect(await fixture.discrepancies()).to.deep.equal([]);
  });

  it('asks about other payments where the answer about one fails, and finds that one missing', async () => {
    await ledger.rows(`update connections set adapter = 'monnify'`);
    fixture = await openSettlementFixture(ledger);
    const odd = await fixture.pay();
    ledger.clock.advance(3 * DAY);
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    ledger.clock.advance(5 * DAY);
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
    expect(
      (await fixture.discrepancies()).map(({ kind, charge_id: id }) => [kind, id]),
    ).to.deep.equal([['missing', odd.chargeId]]);
    const run = await fixture.reconcile();
    expect(run, 'nothing was answered').to.deep.include({ isDone: false, error: unclear });
  });

  it('computes totals again when a payment has grown, or its fee is stated later', async () => {
    const [grown, unstated] = [await fixture.pay(), await fixture.pay({ feeKobo: null })];
    ledger.clock.advance(DAY);
    fixture.payOut([grown, unstated], { amountKobo: 982_500 });
    await fixture.reconcile();
    expect(await fixture.discrepancies()).to.deep.equal([]);
    grown.capture.amountKobo = 600_000;
    unstated.capture.feeKobo = 9_000;
    await fixture.verify(grown);
    await fixture.verify(unstated);
    await fixture.reconcile();
    const [settlement] = await fixture.settlements();
    expect(settlement).to.include({
      expected_amount_kobo: 1_073_500,
      landed_amount_kobo: 982_500,
      status: 'short',
    });
    const found = (await fixture.discrepancies())
      .map(({ kind, difference_kobo }) => [kind, difference_kobo])
      .sort();
    expect(found).to.deep.equal([
      ['amount_mismatch', 100_000],
      ['surplus', -9_000],
    ]);
  });
});
