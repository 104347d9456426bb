import { expect } from 'chai';
import { addEndpoint as insertEndpoint } from '../../../domain/webhooks/endpoint/create.ts';
import type { EventType } from '../../../domain/webhooks/event/publish.ts';
import { startReceiver } from '../../../scripts/local/receiver.ts';
import type { ProviderAccountFixture } from '../../support/provider-account.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A settlement', (account) => {
  it('pays out the whole amount where the payer bore the fee', async () => {
    const { stack, openCharges, payOutAndReconcile, settlement, readTransaction, discrepancies } =
      account();
    const [charge] = await openCharges(500_000);
    await stack.control.pay(charge!.reference, { channel: 'bank_transfer', payer_fee_kobo: 7_600 });
    await stack.settle();
    const { landed_kobo: landedKobo } = await payOutAndReconcile();
    expect(landedKobo).to.equal(500_000);
    expect(await settlement('landed')).to.include({
      ...{ gross_kobo: 500_000, fee_kobo: 0, landed_amount_kobo: 500_000, shortfall_kobo: 0 },
    });
    expect(await readTransaction(charge!)).to.include({ status: 'settled', fee_kobo: 0 });
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('is expected on its day, lands, and settles its charges', async () => {
    const { payCharges, reconcile, payOutAndReconcile, settlement } = account();
    const { referencesOf, readTransaction, discrepancies } = account();
    const charges = await payCharges(100_000, 250_000);
    const references = charges.map(({ reference }) => reference).sort();
    await reconcile();
    const before = await Promise.all(charges.map(readTransaction));
    const feeKobo = before[0]!.fee_kobo + before[1]!.fee_kobo;
    expect(feeKobo).to.be.greaterThan(0);
    const amounts = {
      gross_kobo: 350_000,
      fee_kobo: feeKobo,
      refunds_kobo: 0,
      chargebacks_kobo: 0,
      foreign_kobo: 0,
      foreign_count: 0,
    };
    const expected = await settlement('expected');
    expect(expected).to.include({
      ...amounts,
      transaction_count: 2,
      expected_amount_kobo: 350_000 - feeKobo,
    });
    expect(expected).to.include({
      landed_amount_kobo: null,
      shortfall_kobo: null,
      landed_at: null,
      provider: before[0]!.provider,
    });
    expect(await referencesOf(expected)).to.deep.equal(references);

    const { landed_kobo: landedKobo } = await payOutAndReconcile();
    expect(landedKobo).to.equal(350_000 - feeKobo);
    const landed = await settlement('landed');
    expect(landed).to.include({
      ...amounts,
      id: expected.id,
      expected_date: expected.expected_date,
      transaction_count: 2,
    });
    expect(landed).to.include({
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 0,
    });
    expect(landed.landed_at).to.match(/Z$/);
    expect(await referencesOf(landed)).to.deep.equal(references);
    for (const [index, charge] of charges.entries()) {
      const {
        status,
        settlement_id: settlementId,
        settled_at: settledAt,
        fee_kobo: fee,
      } = await readTransaction(charge);
      expect([status, settlementId, settledAt, fee]).to.deep.equal([
        'settled',
        landed.id,
        landed.landed_at,
        before[index]!.fee_kobo,
      ]);
    }
    expect(await discrepancies()).to.deep.equal([]);
  });
});

describeSettlements(
  'The event of a settlement',
  (account) => {
    it('is delivered once, to endpoints that ask for it', async () => {
      const { payCharges, payOutAndReconcile, reconcile, stack, settlement } = account();
      await using asking = await startReceiver(0);
      await addEndpoint(stack, `${asking.url}/payouts`, ['settlement.landed']);
      const [charge] = await payCharges(100_000);
      await payOutAndReconcile();
      for (let hour = 0; hour < 2; hour++) await reconcile();
      const events = asking.received.map(({ body: event }) => JSON.parse(event));
      expect(events.map(({ type, data }) => [type, data])).to.deep.equal([
        ['settlement.landed', await settlement('landed')],
      ]);
      const others = stack.receiver.received.map(({ body: event }) => JSON.parse(event));
      const [ofTheCharge] = others.filter(({ data }) => data.reference === charge!.reference);
      expect(ofTheCharge.type).to.equal('charge.succeeded');
      expect(others.filter(({ type }) => type === 'settlement.landed')).to.deep.equal([]);
    });
  },
  { only: ['paystack'] },
);

async function addEndpoint(
  { context, tenant }: ProviderAccountFixture['stack'],
  url: string,
  eventTypes: EventType[],
): Promise<void> {
  const test = { tenantId: tenant.tenant_id, mode: 'test' as const };
  await context.inTx(async (tx) => insertEndpoint(tx, test, { url, eventTypes }));
}
