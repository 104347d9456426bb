import { expect } from 'chai';
import { lineOf } from './till.ts';
import { accept, openIn, paidOut, withTill } from './with-till.ts';

const stranger = {
  providerPaymentId: 'stranger',
  reference: 'SV-900000001-zzzzzzzz',
  amountKobo: 80_000,
  feeKobo: 1_200,
};

describe('A payment in a payout that nobody told of', () => {
  const opened = withTill();

  it('is never_notified, has its attempt asked about now, and settles its charge as soon as that answers', async () => {
    const { till, ledger, pass } = opened();
    const [unheard, known] = [await till.pay({ isHeard: false }), await till.pay()];
    pass(1);
    till.payOut([unheard, known]);
    await ledger.rows('update attempts set due_at = null');
    await till.reconcile();
    const [short] = await paidOut(till);
    expect(short).to.include({
      status: 'landed',
      transaction_count: 1,
      expected_amount_kobo: 482_500,
      landed_amount_kobo: 965_000,
    });
    const [found] = await till.discrepancies();
    const amounts = { amount_kobo: 500_000, difference_kobo: -482_500 };
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: short.id,
      charge_id: unheard.chargeId,
      ...amounts,
    });
    const due = await ledger.rows('select id from attempts where due_at is not null');
    expect(due).to.deep.equal([{ id: unheard.attempt.id }]);
    expect((await till.charge(unheard)).status, 'a line never counts as the payment').to.equal(
      'pending',
    );

    await till.hear(unheard);
    expect(await till.charge(unheard), 'without a second run').to.include({
      status: 'settled',
      settlement_id: short.id,
    });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      status: 'landed',
      transaction_count: 2,
      expected_amount_kobo: 965_000,
    });
    expect(await openIn(till)).to.deep.equal([]);
    expect((await till.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([found!.id]);
    expect(
      await ledger.rows(`select 1 from events where type = 'settlement.landed'`),
    ).to.have.length(1);
  });

  it('under a reference of ours that is not on record stands for as long as nobody closes it', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    till.payOut([taken, stranger]);
    for (let day = 0; day < 3; day++) await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['never_notified', -78_800]]);
    expect((await till.discrepancies())[0]).to.include({
      charge_id: null,
      reference: stranger.reference,
    });
    expect((await paidOut(till))[0]).to.include({ foreign_count: 0, transaction_count: 1 });
  });

  it('and that two payouts hold is never_notified once, paid out again by the second, and the first one’s once it is heard of', async () => {
    const { till, pass } = opened();
    const unheard = await till.pay({ isHeard: false });
    pass(1);
    till.payOut([unheard]);
    till.payOut([unheard]);
    for (let round = 0; round < 2; round++) {
      await till.reconcile();
      expect(await openIn(till)).to.deep.equal([
        ['amount_mismatch', -482_500],
        ['never_notified', -482_500],
      ]);
    }
    const [first, second] = await paidOut(till);
    expect(
      (await till.discrepancies()).map(({ kind, settlement_id }) => [kind, settlement_id]).sort(),
    ).to.deep.equal([
      ['amount_mismatch', second.id],
      ['never_notified', first.id],
    ]);
    await till.hear(unheard);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['amount_mismatch', -482_500]]);
    expect(await till.charge(unheard)).to.include({ settlement_id: first.id });
    expect((await paidOut(till)).map(({ transaction_count }) => transaction_count)).to.deep.equal([
      1, 0,
    ]);
  });

  it('is matched when it is heard of, however many others never will be', async () => {
    const { till, pass } = opened();
    const unheard = await till.pay({ isHeard: false });
    pass(1);
    till.linesAPage = 1_000;
    till.payOut([unheard]);
    await till.reconcile();
    const strangers = Array.from({ length: 600 }, (_, n) => ({
      ...stranger,
      providerPaymentId: `s-${n}`,
      reference: `SV-${800_000 + n}-zzzzzzzz`,
    }));
    till.payOut(strangers);
    await till.reconcile();
    await till.hear(unheard);
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      transaction_count: 1,
      expected_amount_kobo: 482_500,
    });
    expect((await till.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
  });

  it('of a payout that was taken back since is paid all the same, and missing', async () => {
    const { till, pass } = opened();
    const unheard = await till.pay({ isHeard: false });
    pass(1);
    const payout = till.payOut([unheard]);
    await till.reconcile();
    Object.assign(payout, { state: 'failed' });
    await till.reconcile();
    await till.hear(unheard);
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({ status: 'failed', landed_amount_kobo: 0 });
    pass(5);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['missing', 482_500]]);
  });
});

describe('A line of a charge that is not simply paid', () => {
  const opened = withTill();

  it('failed: is asked about, and the late money settles it', async () => {
    const { till, ledger, pass } = opened();
    const unheard = await till.pay({ isHeard: false });
    await ledger.rows(
      `update charges set status = 'failed', failed_at = now() where id = $1`,
      unheard.chargeId,
    );
    pass(1);
    till.payOut([unheard]);
    await till.reconcile();
    expect(await till.charge(unheard)).to.include({ status: 'failed' });
    await till.hear(unheard);
    expect(await till.charge(unheard)).to.include({ status: 'settled' });
  });

  for (const status of ['refunded', 'disputed']) {
    it(`${status}: is recorded, and leaves the status alone`, async () => {
      const { till, ledger, pass } = opened();
      const taken = await till.pay();
      await ledger.rows('update charges set status = $2 where id = $1', taken.chargeId, status);
      pass(1);
      till.payOut([taken]);
      await till.reconcile();
      const [settlement] = await paidOut(till);
      expect(await till.charge(taken)).to.include({ status, settlement_id: settlement.id });
      expect(settlement).to.include({ status: 'landed', transaction_count: 1 });
    });
  }

  it('held: is explained, does not settle it, and does once a person accepts it', async () => {
    const { till, pass } = opened();
    const held = await till.pay({ amountKobo: 300_000, feeKobo: 4_500 });
    pass(1);
    till.payOut([held]);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    expect((await paidOut(till))[0]).to.include({
      status: 'landed',
      gross_kobo: 300_000,
      transaction_count: 1,
    });
    expect(await till.charge(held)).to.include({ status: 'pending', settlement_id: null });
    await accept(opened(), held.chargeId);
    expect((await till.charge(held)).status).to.equal('succeeded');
    await till.reconcile();
    expect(await till.charge(held)).to.include({ status: 'settled', fee_kobo: 4_500 });
  });

  it('paid twice: settles with its own payment, and explains the other', async () => {
    const { till, pass } = opened();
    const own = await till.pay();
    const extra = { ...own, capture: { ...own.capture, providerPaymentId: 'second' } };
    till.payments.push(extra.capture);
    await till.hear(extra);
    pass(1);
    till.payOut([extra]);
    await till.reconcile();
    expect(await till.charge(own), 'the other is not its own').to.include({
      status: 'succeeded',
      settlement_id: null,
    });
    till.payOut([own]);
    await till.reconcile();
    expect(await till.charge(own)).to.include({ status: 'settled' });
    expect(await openIn(till)).to.deep.equal([]);
    expect((await paidOut(till)).map(({ transaction_count }) => transaction_count)).to.deep.equal([
      1, 1,
    ]);
  });

  it('says so on the charge’s timeline, once', async () => {
    const { till, ledger, pass } = opened();
    const [paid, unheard] = [await till.pay(), await till.pay({ isHeard: false })];
    pass(1);
    till.payOut([paid, lineOf(unheard)]);
    for (let round = 0; round < 2; round++) await till.reconcile();
    const linesOf = async (id: string) =>
      (
        await ledger.rows(
          'select what from timeline_entries where charge_id = $1 order by position',
          id,
        )
      ).map(({ what }) => what);
    expect((await linesOf(paid.chargeId)).filter((what) => /settle/.test(what))).to.deep.equal([
      'charge.settled',
    ]);
    expect((await linesOf(unheard.chargeId)).filter((what) => /settle/.test(what))).to.deep.equal([
      'charge.settlement_line',
    ]);
  });
});
