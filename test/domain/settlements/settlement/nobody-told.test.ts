import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { accept, openIn, paidOut, withSettlementFixture } from './with-fixture.ts';

const stranger = {
  providerPaymentId: 'stranger',
  reference: 'SV-900000001-zzzzzzzz',
  amountKobo: 80_000,
  feeKobo: 1_200,
};

describe('A payment in a payout that nobody told of', () => {
  const opened = withSettlementFixture();

  it('is never_notified, has its attempt asked about now, and settles its charge as soon as that answers', async () => {
    const { fixture, ledger, pass } = opened();
    const [unheard, known] = [await fixture.pay({ isHeard: false }), await fixture.pay()];
    pass(1);
    fixture.payOut([unheard, known]);
    await ledger.rows('update attempts set due_at = null');
    await fixture.reconcile();
    const [short] = await paidOut(fixture);
    expect(short).to.include({
      status: 'landed',
      transaction_count: 1,
      expected_amount_kobo: 482_500,
      landed_amount_kobo: 965_000,
    });
    const [found] = await fixture.discrepancies();
    const amounts = { amount_kobo: 500_000, difference_kobo: -482_500 };
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: short.id,
      charge_id: unheard.chargeId,
      ...amounts,
    });
    const due = await ledger.rows('select id from attempts where due_at is not null');
    expect(due).to.deep.equal([{ id: unheard.attempt.id }]);
    expect((await fixture.charge(unheard)).status, 'a line never counts as the payment').to.equal(
      'pending',
    );

    await fixture.hear(unheard);
    expect(await fixture.charge(unheard), 'without a second run').to.include({
      status: 'settled',
      settlement_id: short.id,
    });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      transaction_count: 2,
      expected_amount_kobo: 965_000,
    });
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([
      found!.id,
    ]);
    expect(
      await ledger.rows(`select 1 from events where type = 'settlement.landed'`),
    ).to.have.length(1);
  });

  it('under a reference of ours that is not on record stands for as long as nobody closes it', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([taken, stranger]);
    for (let day = 0; day < 3; day++) await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['never_notified', -78_800]]);
    expect((await fixture.discrepancies())[0]).to.include({
      charge_id: null,
      reference: stranger.reference,
    });
    expect((await paidOut(fixture))[0]).to.include({ foreign_count: 0, transaction_count: 1 });
  });

  it('and that two payouts hold is never_notified once, paid out again by the second, and the first one’s once it is heard of', async () => {
    const { fixture, pass } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    pass(1);
    fixture.payOut([unheard]);
    fixture.payOut([unheard]);
    for (let round = 0; round < 2; round++) {
      await fixture.reconcile();
      expect(await openIn(fixture)).to.deep.equal([
        ['amount_mismatch', -482_500],
        ['never_notified', -482_500],
      ]);
    }
    const [first, second] = await paidOut(fixture);
    expect(
      (await fixture.discrepancies())
        .map(({ kind, settlement_id }) => [kind, settlement_id])
        .sort(),
    ).to.deep.equal([
      ['amount_mismatch', second.id],
      ['never_notified', first.id],
    ]);
    await fixture.hear(unheard);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['amount_mismatch', -482_500]]);
    expect(await fixture.charge(unheard)).to.include({ settlement_id: first.id });
    expect(
      (await paidOut(fixture)).map(({ transaction_count }) => transaction_count),
    ).to.deep.equal([1, 0]);
  });

  it('is matched when it is heard of, however many others never will be', async () => {
    const { fixture, pass } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    pass(1);
    fixture.linesAPage = 1_000;
    fixture.payOut([unheard]);
    await fixture.reconcile();
    const strangers = Array.from({ length: 600 }, (_, n) => ({
      ...stranger,
      providerPaymentId: `s-${n}`,
      reference: `SV-${800_000 + n}-zzzzzzzz`,
    }));
    fixture.payOut(strangers);
    await fixture.reconcile();
    await fixture.hear(unheard);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      transaction_count: 1,
      expected_amount_kobo: 482_500,
    });
    expect((await fixture.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
  });

  it('of a payout that was taken back since is paid all the same, and missing', async () => {
    const { fixture, pass } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    pass(1);
    const payout = fixture.payOut([unheard]);
    await fixture.reconcile();
    Object.assign(payout, { state: 'failed' });
    await fixture.reconcile();
    await fixture.hear(unheard);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({ status: 'failed', landed_amount_kobo: 0 });
    pass(5);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['missing', 482_500]]);
  });
});

describe('A line of a charge that is not simply paid', () => {
  const opened = withSettlementFixture();

  it('failed: is asked about, and the late money settles it', async () => {
    const { fixture, ledger, pass } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    await ledger.rows(
      `update charges set status = 'failed', failed_at = now() where id = $1`,
      unheard.chargeId,
    );
    pass(1);
    fixture.payOut([unheard]);
    await fixture.reconcile();
    expect(await fixture.charge(unheard)).to.include({ status: 'failed' });
    await fixture.hear(unheard);
    expect(await fixture.charge(unheard)).to.include({ status: 'settled' });
  });

  for (const status of ['refunded', 'disputed']) {
    it(`${status}: is recorded, and leaves the status alone`, async () => {
      const { fixture, ledger, pass } = opened();
      const taken = await fixture.pay();
      await ledger.rows('update charges set status = $2 where id = $1', taken.chargeId, status);
      pass(1);
      fixture.payOut([taken]);
      await fixture.reconcile();
      const [settlement] = await paidOut(fixture);
      expect(await fixture.charge(taken)).to.include({ status, settlement_id: settlement.id });
      expect(settlement).to.include({ status: 'landed', transaction_count: 1 });
    });
  }

  it('held: is explained, does not settle it, and does once a person accepts it', async () => {
    const { fixture, pass } = opened();
    const held = await fixture.pay({ amountKobo: 300_000, feeKobo: 4_500 });
    pass(1);
    fixture.payOut([held]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      gross_kobo: 300_000,
      transaction_count: 1,
    });
    expect(await fixture.charge(held)).to.include({ status: 'pending', settlement_id: null });
    await accept(opened(), held.chargeId);
    expect((await fixture.charge(held)).status).to.equal('succeeded');
    await fixture.reconcile();
    expect(await fixture.charge(held)).to.include({ status: 'settled', fee_kobo: 4_500 });
  });

  it('paid twice: settles with its own payment, and explains the other', async () => {
    const { fixture, pass } = opened();
    const own = await fixture.pay();
    const extra = { ...own, capture: { ...own.capture, providerPaymentId: 'second' } };
    fixture.payments.push(extra.capture);
    await fixture.hear(extra);
    pass(1);
    fixture.payOut([extra]);
    await fixture.reconcile();
    expect(await fixture.charge(own), 'the other is not its own').to.include({
      status: 'succeeded',
      settlement_id: null,
    });
    fixture.payOut([own]);
    await fixture.reconcile();
    expect(await fixture.charge(own)).to.include({ status: 'settled' });
    expect(await openIn(fixture)).to.deep.equal([]);
    expect(
      (await paidOut(fixture)).map(({ transaction_count }) => transaction_count),
    ).to.deep.equal([1, 1]);
  });

  it('says so on the charge’s timeline, once', async () => {
    const { fixture, ledger, pass } = opened();
    const [paid, unheard] = [await fixture.pay(), await fixture.pay({ isHeard: false })];
    pass(1);
    fixture.payOut([paid, lineOf(unheard)]);
    for (let round = 0; round < 2; round++) await fixture.reconcile();
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
