import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund } from '../../support/refunds.ts';
import type { Json } from '../../support/store.ts';
import { describeStores } from './describe-stores.ts';

describeStores('What goes back', (store) => {
  const refund = async (...refunds: [charge: Checkout, amountKobo?: number][]) => {
    const { stack, pass } = store();
    const asked = await Promise.all(
      refunds.map(([charge, amountKobo]) => approvedRefund(stack, charge, amountKobo)),
    );
    await stack.settle();
    for (let step = 0; step < 2; step++) await pass(3 * SECOND);
    for (const { id } of asked)
      expect((await stack.api.get(`/refunds/${id}`)).json.status).to.equal('completed');
  };
  const feesOf = async (...charges: Checkout[]) =>
    (await Promise.all(charges.map(store().read))).reduce((sum, { fee_kobo: fee }) => sum + fee, 0);
  const expectLanded = (settlement: Json, landedKobo: number, amounts: Json) => {
    const even = {
      status: 'landed',
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 0,
    };
    expect(settlement).to.include({ ...even, refunds_kobo: 0, chargebacks_kobo: 0, ...amounts });
  };
  /** Monnify takes refunds out of a wallet: payouts are none the smaller. */
  const takenOut = (kobo: number) => (store().name === 'monnify' ? 0 : kobo);

  it('to payers before the payout makes it smaller where its provider takes refunds out of payouts', async () => {
    const { paid, paidOut, settlement, discrepancies, read } = store();
    const [part, whole, other] = await paid(100_000, 80_000, 300_000);
    await refund([part!, 30_000], [whole!]);
    const { landed_kobo: landedKobo } = await paidOut();
    expect(landedKobo).to.equal(
      480_000 - (await feesOf(part!, whole!, other!)) - takenOut(110_000),
    );
    const landed = await settlement('landed');
    expectLanded(landed, landedKobo, {
      gross_kobo: 480_000,
      refunds_kobo: takenOut(110_000),
      transaction_count: 3,
    });
    expect(await discrepancies()).to.deep.equal([]);
    expect(await read(part!)).to.include({
      status: 'settled',
      refunded_kobo: 30_000,
      settlement_id: landed.id,
    });
    expect(await read(whole!)).to.include({
      status: 'refunded',
      refunded_kobo: 80_000,
      settlement_id: landed.id,
    });
    expect(await read(other!)).to.include({ status: 'settled', settlement_id: landed.id });
  });

  it('to payers after the payout makes the next one smaller, and is expected to', async () => {
    const { paid, paidOut, reconcile, settlements, settlement, discrepancies } = store();
    const [first] = await paid(100_000);
    await paidOut();
    await refund([first!, 40_000]);
    const [second] = await paid(200_000);
    await reconcile();
    const forecastKobo = 200_000 - (await feesOf(second!)) - takenOut(40_000);
    expect(await settlement('expected')).to.include({
      refunds_kobo: takenOut(40_000),
      expected_amount_kobo: forecastKobo,
    });
    const { landed_kobo: landedKobo } = await paidOut();
    expect(landedKobo).to.equal(forecastKobo);
    const [before, after] = await settlements('landed');
    expect(before).to.include({ refunds_kobo: 0, gross_kobo: 100_000 });
    expectLanded(after!, landedKobo, { gross_kobo: 200_000, refunds_kobo: takenOut(40_000) });
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('by a refund of the dashboard explains the payout once we know of it', async () => {
    const {
      stack,
      name,
      paid,
      pass,
      paidOut,
      reconcile,
      settlement,
      discrepancies,
      discrepancy,
      read,
    } = store();
    const [charge] = await paid(100_000);
    await stack.control.refundNow(charge!.reference, 25_000);
    for (let step = 0; step < 2; step++) await pass(3 * SECOND);
    const { landed_kobo: landedKobo } = await paidOut();
    if (name === 'flutterwave') {
      // Nobody tells of it: it is seen when another refund is begun.
      expect(await settlement('short')).to.include({
        shortfall_kobo: 25_000,
        landed_amount_kobo: landedKobo,
      });
      expect(await discrepancy()).to.include({
        kind: 'deduction_mismatch',
        amount_kobo: 25_000,
        difference_kobo: 25_000,
      });
      await refund([charge!, 10_000]);
      await reconcile();
    }
    expectLanded(await settlement('landed'), landedKobo, { refunds_kobo: takenOut(25_000) });
    expect(await discrepancies('open')).to.deep.equal([]);
    expect(await read(charge!)).to.include({
      refunded_kobo: name === 'flutterwave' ? 35_000 : 25_000,
      status: 'settled',
    });
  });

  it('to a bank, by a lost dispute, makes the payout smaller everywhere', async () => {
    const { stack, paid, hearOf, paidOut, settlement, discrepancies, read } = store();
    const [lost, other] = await paid(80_000, 300_000);
    await stack.control.dispute(lost!.reference, 'lost');
    await hearOf(lost!, 'lost');
    const { landed_kobo: landedKobo } = await paidOut();
    expect(landedKobo).to.equal(300_000 - (await feesOf(lost!, other!)));
    expectLanded(await settlement('landed'), landedKobo, {
      gross_kobo: 380_000,
      chargebacks_kobo: 80_000,
      transaction_count: 2,
    });
    expect(await discrepancies()).to.deep.equal([]);
    expect(await read(lost!)).to.include({ status: 'refunded', refunded_kobo: 80_000 });
  });

  it('to a bank without our knowing is a difference until we hear of it', async () => {
    const {
      stack,
      name,
      paid,
      paidOut,
      hearOf,
      settlement,
      reconcile,
      discrepancy,
      discrepancies,
    } = store();
    const [lost] = await paid(80_000, 300_000);
    await stack.control.faults({ provider: name, drop_notifications: true });
    await stack.context.db.query(
      `update connection_tasks set due_at = null where task = 'disputes'`,
    );
    await stack.control.dispute(lost!.reference, 'lost');
    await stack.control.faults();
    await paidOut();
    const kind = name === 'monnify' ? 'short' : 'deduction_mismatch';
    expect(await discrepancy()).to.include({ kind, amount_kobo: 80_000, difference_kobo: 80_000 });
    expect(await settlement('short')).to.include({ shortfall_kobo: 80_000, chargebacks_kobo: 0 });
    await hearOf(lost!, 'lost');
    await reconcile();
    expect(await settlement('landed')).to.include({ shortfall_kobo: 0, chargebacks_kobo: 80_000 });
    expect((await discrepancies()).map(({ status }) => status)).to.deep.equal(['resolved']);
  });
});
