import { expect } from 'chai';
import { addWebhookEndpoint } from '../../../domain/accounts/tenant/create-tenant.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { startReceiver } from '../../../scripts/local/receiver.ts';
import { DAY } from '../../support/clock.ts';
import type { Store } from '../../support/store.ts';
import { describeStores } from './describe-stores.ts';

describeStores('A payout', (store) => {
  it('is expected on its day, lands, and settles its charges', async () => {
    const { paid, reconcile, paidOut, settlement, holds, read, discrepancies } = store();
    const charges = await paid(100_000, 250_000);
    const references = charges.map(({ reference }) => reference).sort();
    await reconcile();
    const before = await Promise.all(charges.map(read));
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
    expect(await holds(expected)).to.deep.equal(references);

    const { landed_kobo: landedKobo } = await paidOut();
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
    expect(await holds(landed)).to.deep.equal(references);
    for (const [index, charge] of charges.entries()) {
      const {
        status,
        settlement_id: settlementId,
        settled_at: settledAt,
        fee_kobo: fee,
      } = await read(charge);
      expect([status, settlementId, settledAt, fee]).to.deep.equal([
        'settled',
        landed.id,
        landed.landed_at,
        before[index]!.fee_kobo,
      ]);
    }
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('is told once, to who asked for it', async () => {
    const { paid, paidOut, reconcile, stack, settlement } = store();
    await using asking = await startReceiver(0);
    await addEndpoint(stack, `${asking.url}/payouts`, ['settlement.landed']);
    const [charge] = await paid(100_000);
    await paidOut();
    for (let hour = 0; hour < 2; hour++) await reconcile();
    const heard = asking.received.map(({ body: event }) => JSON.parse(event));
    expect(heard.map(({ type, data }) => [type, data])).to.deep.equal([
      ['settlement.landed', await settlement('landed')],
    ]);
    const others = stack.receiver.received.map(({ body: event }) => JSON.parse(event));
    const [ofTheCharge] = others.filter(({ data }) => data.reference === charge!.reference);
    expect(ofTheCharge.type).to.equal('charge.succeeded');
    expect(others.filter(({ type }) => type === 'settlement.landed')).to.deep.equal([]);
  });

  it('follows another: each holds its own, and what is not paid out yet is expected', async () => {
    const { paid, payOut, payday, reconcile, settlements, holds } = store();
    const [first] = await paid(100_000);
    await payday();
    const [second] = await paid(200_000);
    await payOut({ leave_out: [second!.reference] });
    await reconcile();
    const all = await settlements();
    expect(all.map(({ status }) => status)).to.deep.equal(['landed', 'expected']);
    expect(await holds(all[0]!)).to.deep.equal([first!.reference]);
    expect(await holds(all[1]!)).to.deep.equal([second!.reference]);
  });

  it('of what was paid on a Friday is expected on its business day, and not before missed', async () => {
    const { name, stack, paid, pass, reconcile, settlement, discrepancies } = store();
    await pass(4 * DAY);
    await paid(100_000);
    await reconcile();
    const friday = stack.clock();
    const day = name === 'monnify' ? friday : new Date(friday.getTime() + 3 * DAY);
    expect((await settlement('expected')).expected_date).to.equal(lagosDay(day));
    await pass(name === 'monnify' ? 2 * DAY : 5 * DAY);
    expect(await discrepancies()).to.deep.equal([]);
    await pass(DAY);
    expect((await discrepancies()).map(({ kind, date }) => [kind, date])).to.deep.equal([
      ['missing', lagosDay(day)],
    ]);
  });

  it("of the merchant's other business too says how much of it is foreign, and finds nothing odd", async () => {
    const { paid, paidOut, settlement, discrepancies, read } = store();
    const [charge] = await paid(100_000);
    const { landed_kobo: landedKobo } = await paidOut({
      foreign: [{ amount_kobo: 300_000 }, { reference: 'INV-7', amount_kobo: 50_000 }],
    });
    const { fee_kobo: feeKobo } = await read(charge!);
    const amounts = {
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 0,
      gross_kobo: 100_000,
    };
    const foreign = { foreign_count: 2, foreign_kobo: landedKobo - 100_000 + feeKobo };
    expect(await settlement('landed')).to.include({
      ...amounts,
      ...foreign,
      fee_kobo: feeKobo,
      transaction_count: 1,
    });
    expect(await discrepancies()).to.deep.equal([]);
  });
});

async function addEndpoint(
  { context, tenant }: Store['stack'],
  url: string,
  eventTypes: string[],
): Promise<void> {
  const desk = { em: context.orm.em.fork(), vault: context.vault, now: context.clock() };
  const { id } = addWebhookEndpoint(desk, tenant.tenant_id, 'test', url);
  await desk.em.flush();
  await context.db.query('update webhook_endpoints set event_types = $2 where id = $1', [
    id,
    eventTypes,
  ]);
}
