import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A payment without a notification', (account) => {
  it('is found by the settlement that holds it: its charge settles and the discrepancy resolves', async () => {
    const { stack, payUnnotified, payOut, runTask, reconcile, readTransaction } = account();
    const { settlement, settlements, discrepancies, referencesOf, events } = account();
    const [charge] = await payUnnotified(200_000);
    const paidOutAs = await payOut();
    await runTask('settlements');
    expect(
      (await stored(stack, charge!)).status,
      'without a read that asks the provider',
    ).to.be.oneOf(['succeeded', 'settled']); // Monnify’s notification reconciles once more
    await reconcile();
    const after = await readTransaction(charge!);
    const short = (await settlements()).find(({ status }) => status !== 'expected')!;
    expect(after).to.include({
      status: 'settled',
      settlement_id: short.id,
      amount_kobo: 200_000,
      recovered: false,
    });
    const [found] = await discrepancies();
    expect(found).to.include({
      kind: 'never_notified',
      transaction_id: after.id,
      settlement_id: short.id,
      amount_kobo: 200_000,
    });
    const { reference, provider_reference, amount_kobo, fee_kobo } = found!.line;
    const line = [after.provider_reference, 200_000, after.fee_kobo];
    expect([provider_reference, amount_kobo, fee_kobo]).to.deep.equal(line);
    expect(reference).to.equal(found!.reference);
    expect(
      stack.receiver.received.filter(({ body }) => body.includes(after.reference)),
    ).to.have.length(1);

    await reconcile();
    const landed = await settlement('landed');
    const amounts = {
      landed_amount_kobo: paidOutAs.landed_kobo,
      expected_amount_kobo: paidOutAs.landed_kobo,
      gross_kobo: 200_000,
    };
    expect(landed).to.include({ id: short.id, transaction_count: 1, ...amounts });
    expect(await referencesOf(landed)).to.deep.equal([charge!.reference]);
    expect((await discrepancies()).map(({ id, status }) => [id, status])).to.deep.equal([
      [found!.id, 'resolved'],
    ]);
    expect(await events()).to.have.length(1);
  });

  it('is found by the nightly audit, and its charge succeeds', async () => {
    const { stack, payUnnotified, passNight, readTransaction, discrepancies } = account();
    const [charge] = await payUnnotified(200_000);
    await stack.context.db.query('update attempts set due_at = null'); // as if every check were lost
    await passNight();
    expect((await stored(stack, charge!)).status).to.equal('succeeded');
    await passNight();
    const found = (await discrepancies()).map(({ kind, status, transaction_id: id }) => [
      kind,
      status,
      id,
    ]);
    expect(found).to.deep.equal([
      ['never_notified', 'resolved', (await readTransaction(charge!)).id],
    ]);
  });
});

describeSettlements('A payment that its provider does not know any more', (account) => {
  it('is unknown_at_provider after the nightly audit, and is not missing as well', async () => {
    const { stack, payCharges, passNight, passTime } = account();
    const { payOutAndReconcile, discrepancies, discrepancy, readTransaction } = account();
    const [lost, kept] = await payCharges(300_000, 100_000);
    await stack.control.forget(lost!.reference);
    const before = await readTransaction(lost!);
    await payOutAndReconcile();
    expect(await readTransaction(kept!)).to.include({ status: 'settled' });
    await passNight();
    expect(await discrepancies()).to.have.length(1);
    await passTime(5 * DAY);
    const found = await discrepancy();
    const netKobo = 300_000 - before.fee_kobo;
    const about = {
      kind: 'unknown_at_provider',
      transaction_id: before.id,
      settlement_id: null,
      line: null,
    };
    expect(found).to.include({ ...about, amount_kobo: 300_000, difference_kobo: netKobo });
    expect(await readTransaction(lost!)).to.include({ status: 'succeeded', settlement_id: null });
    expect(await discrepancies()).to.have.length(1);
  });
});

describeSettlements('A payment that its provider reversed without telling us', (account) => {
  it('is found by the nightly audit: its charge is refunded by a refund of the provider', async () => {
    const { stack, payCharges, passNight, readTransaction } = account();
    const [charge, kept] = await payCharges(300_000, 100_000);
    await stack.control.reverse(charge!.reference, { notify: false });
    await stack.context.db.query('update attempts set due_at = null'); // no check of its own is left
    await passNight();
    expect((await stored(stack, charge!)).status).to.equal('refunded');
    expect(await readTransaction(charge!)).to.include({ refunded_kobo: 300_000 });
    expect((await stored(stack, kept!)).status).to.equal('succeeded');
  });
});
