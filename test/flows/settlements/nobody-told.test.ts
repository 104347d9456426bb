import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import type { Store } from '../../support/store.ts';
import { describeStores } from './describe-stores.ts';

/** In the form of our own references, and of no charge. */
const UNKNOWN = 'SV-900000000-zzzzzzzz';

const stranger = ({ stack, name, accountId }: Store, reference: string) =>
  stack.control.stranger(accountId, { provider: name, reference, amount_kobo: 80_000 });

describeStores('A payment that nobody told of', (store) => {
  it('and that a payout holds is never_notified; it is asked about, succeeds as settled, and the discrepancy resolves', async () => {
    const {
      stack,
      unheard,
      payOut,
      doNow,
      reconcile,
      read,
      settlement,
      settlements,
      discrepancies,
      holds,
      events,
    } = store();
    const [charge] = await unheard(200_000);
    const paidOutAs = await payOut();
    await doNow('settlements');
    expect((await stored(stack, charge!)).status, 'and no read asked the provider').to.equal(
      'settled',
    );
    const after = await read(charge!);
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
    expect(await holds(landed)).to.deep.equal([charge!.reference]);
    expect((await discrepancies()).map(({ id, status }) => [id, status])).to.deep.equal([
      [found!.id, 'resolved'],
    ]);
    expect(await events()).to.have.length(1);
  });

  it('under a reference nobody here gave is never_notified of no charge for as long as it stands', async () => {
    const { paid, paidOut, reconcile, settlement, discrepancy, read } = store();
    const [charge] = await paid(100_000);
    await stranger(store(), UNKNOWN);
    await paidOut();
    await reconcile();
    const landed = await settlement('landed');
    const found = await discrepancy();
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: landed.id,
      transaction_id: null,
      reference: UNKNOWN,
      amount_kobo: 80_000,
    });
    expect(found.line).to.include({ reference: UNKNOWN, amount_kobo: 80_000 });
    expect(found.difference_kobo).to.equal(found.line.fee_kobo - 80_000);
    const { fee_kobo: feeKobo } = await read(charge!);
    expect(landed).to.include({
      transaction_count: 1,
      gross_kobo: 100_000,
      foreign_count: 0,
      expected_amount_kobo: 100_000 - feeKobo,
    });
    expect(await read(charge!)).to.include({ status: 'settled' });
  });

  it('under such a reference is found by night, and belongs to the payout once it stands in one', async () => {
    const { night, payOut, reconcile, discrepancy, discrepancies, settlement } = store();
    await stranger(store(), UNKNOWN);
    await night();
    const found = await discrepancy();
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: null,
      transaction_id: null,
      reference: UNKNOWN,
      line: null,
    });
    expect(found).to.include({ amount_kobo: 80_000, difference_kobo: 0 });
    await payOut();
    await reconcile();
    const { id, landed_amount_kobo: landedKobo } = await settlement('landed');
    expect(await discrepancy()).to.include({
      id: found.id,
      settlement_id: id,
      amount_kobo: 80_000,
      difference_kobo: -landedKobo,
    });
    await night();
    expect(await discrepancies()).to.have.length(1);
  });

  it('and that was not asked about either is found by night, and succeeds', async () => {
    const { stack, unheard, night, read, discrepancies } = store();
    const [charge] = await unheard(200_000);
    await stack.context.db.query('update attempts set due_at = null'); // as if every check had been lost
    await night();
    expect((await stored(stack, charge!)).status).to.equal('succeeded');
    await night();
    const found = (await discrepancies()).map(({ kind, status, transaction_id: id }) => [
      kind,
      status,
      id,
    ]);
    expect(found).to.deep.equal([['never_notified', 'resolved', (await read(charge!)).id]]);
  });

  it('of other business is passed over', async () => {
    const { night, discrepancies } = store();
    await stranger(store(), 'INV-2026-001');
    await night();
    expect(await discrepancies()).to.deep.equal([]);
  });
});

describeStores('A payment that its provider forgot', (store) => {
  it('is unknown_at_provider from the night on, and is not missing as well', async () => {
    const { stack, paid, night, pass, paidOut, discrepancies, discrepancy, read } = store();
    const [lost, kept] = await paid(300_000, 100_000);
    await stack.control.forget(lost!.reference);
    const before = await read(lost!);
    await paidOut();
    expect(await read(kept!)).to.include({ status: 'settled' });
    await night();
    expect(await discrepancies()).to.have.length(1);
    await pass(5 * DAY);
    const found = await discrepancy();
    const netKobo = 300_000 - before.fee_kobo;
    const about = {
      kind: 'unknown_at_provider',
      transaction_id: before.id,
      settlement_id: null,
      line: null,
    };
    expect(found).to.include({ ...about, amount_kobo: 300_000, difference_kobo: netKobo });
    expect(await read(lost!)).to.include({ status: 'succeeded', settlement_id: null });
    expect(await discrepancies()).to.have.length(1);
  });
});
