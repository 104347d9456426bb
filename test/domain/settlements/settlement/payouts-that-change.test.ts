import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { close, forecasts, openIn, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('A payout', () => {
  const opened = withSettlementFixture();
  const events = () =>
    opened().ledger.rows(`select subject_id from events where type = 'settlement.landed'`);

  it('that lands short, or with too much, is short or surplus by what it does not add up to', async () => {
    const { fixture, pass } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    pass(1);
    fixture.payOut([one], { amountKobo: 482_000 });
    fixture.payOut([two], { amountKobo: 483_500 });
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([
      ['short', 500],
      ['surplus', -1_000],
    ]);
    expect((await paidOut(fixture)).map(({ status }) => status)).to.deep.equal(['short', 'landed']);
  });

  it('that is topped up later is followed down to nothing, and told once', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const payout = fixture.payOut([taken], { amountKobo: 400_000 });
    await fixture.reconcile();
    const [first] = await fixture.discrepancies();
    payout.amountKobo = 450_000;
    await fixture.reconcile();
    const [second] = await fixture.discrepancies();
    expect(second).to.include({ id: first!.id, difference_kobo: 32_500, amount_kobo: 32_500 });
    expect(second!.detail).to.contain('₦325');
    payout.amountKobo = 482_500;
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await events()).to.have.length(1);
  });

  it('of which nobody states the amount comes to what its lines and deductions do', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([taken], { amountKobo: null, deductionsKobo: null });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
      expected_amount_kobo: 482_500,
    });
    expect(await openIn(fixture)).to.deep.equal([]);
  });

  it('that failed claims nothing, is told of to nobody, and its payments are expected as before', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const payout = fixture.payOut([taken], { state: 'failed', landedAt: null });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
      landed_at: null,
    });
    expect(await forecasts(fixture)).to.have.length(1);
    expect(await fixture.charge(taken)).to.include({ status: 'succeeded' });
    expect(await events()).to.deep.equal([]);
    Object.assign(payout, { state: 'landed', landedAt: opened().ledger.clock() });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await fixture.charge(taken)).to.include({ status: 'settled' });
    expect(await events()).to.have.length(1);
  });

  it('that fails while its lines are read gives them back', async () => {
    const { fixture, pass } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    fixture.linesAPage = 1;
    pass(1);
    const payout = fixture.payOut(payments);
    let left = 2;
    const { hasTime } = fixture.desk;
    fixture.desk.hasTime = () => left-- > 0;
    await fixture.reconcile();
    fixture.desk.hasTime = hasTime;
    expect(
      await opened().ledger.rows('select 1 from captures where settlement_id is not null'),
      'one is read',
    ).to.have.length(1);
    Object.assign(payout, { state: 'failed' });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({ status: 'failed' });
    expect((await forecasts(fixture))[0]).to.include({ transaction_count: 2 });
    fixture.payOut(payments);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
  });

  it('that bounces after it landed has failed, and its payments are expected again, until it lands once more', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const payout = fixture.payOut([taken]);
    await fixture.reconcile();
    payout.state = 'failed';
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
    });
    expect(await openIn(fixture)).to.deep.equal([]);
    expect(await fixture.charge(taken)).to.include({ status: 'settled' });
    pass(5);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['missing', 482_500]]);
    payout.state = 'landed';
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await openIn(fixture)).to.deep.equal([]);
    expect(await events()).to.have.length(2);
  });

  it('that landed is not undone by a word that says less', async () => {
    const { fixture, pass } = opened();
    const [taken, unheard] = [await fixture.pay(), await fixture.pay({ isHeard: false })];
    pass(1);
    const payout = fixture.payOut([taken, unheard]);
    await fixture.reconcile();
    payout.state = 'pending';
    await fixture.hear(unheard);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', transaction_count: 2 });
    expect(await openIn(fixture)).to.deep.equal([]);
  });

  it('that is on its way is what we think is coming that day, and lands under the same id', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const bank = { name: 'Test Bank', accountLast4: '1234' };
    const payout = fixture.payOut([taken], {
      state: 'pending',
      landedAt: null,
      amountKobo: 1,
      bank,
    });
    await fixture.reconcile();
    const [expected] = await forecasts(fixture);
    expect(expected).to.include({
      status: 'expected',
      expected_amount_kobo: 482_500,
      landed_amount_kobo: null,
      bank_name: 'Test Bank',
    });
    Object.assign(payout, {
      state: 'landed',
      landedAt: opened().ledger.clock(),
      amountKobo: 482_500,
    });
    await fixture.reconcile();
    expect(await forecasts(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      id: expected.id,
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await events()).to.deep.equal([{ subject_id: expected.id }]);
  });

  it('that is on its way on a day we think of nothing for is not written', async () => {
    const { fixture, pass } = opened();
    await fixture.pay();
    pass(1);
    fixture.payOut([], { state: 'pending', landedAt: null, dueOn: '2020-01-01' });
    fixture.payOut([], { state: 'unknown', landedAt: null, amountKobo: 77 });
    await fixture.reconcile();
    expect(await paidOut(fixture)).to.deep.equal([]);
  });

  it('whose payments came in another is gone while it is on its way', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([], { state: 'pending', landedAt: null });
    await fixture.reconcile();
    fixture.payOut([taken]);
    await fixture.reconcile();
    expect(await forecasts(fixture)).to.deep.equal([]);
    expect(await openIn(fixture)).to.deep.equal([]);
  });

  it('whose lines cannot be read holds up no other', async () => {
    const { fixture, pass } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    pass(1);
    const mangled = fixture.payOut([one]);
    fixture.payOut([two]);
    fixture.mangled.add(mangled.providerSettlementId);
    expect((await fixture.reconcile()).error?.kind).to.equal('unknown');
    expect(await fixture.charge(two)).to.include({ status: 'settled' });
    expect(await fixture.charge(one)).to.include({ status: 'succeeded' });
    expect(await events()).to.have.length(1);
    fixture.mangled.clear();
    await fixture.reconcile();
    expect(await fixture.charge(one)).to.include({ status: 'settled' });
  });
});

describe('A discrepancy that a person closed', () => {
  const opened = withSettlementFixture();

  it('stays closed while it is the same, is open anew once it changes, and resolved once it vanishes', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const payout = fixture.payOut([lineOf(taken, { feeKobo: 20_000 })], { amountKobo: 470_000 });
    await fixture.reconcile();
    for (const { id } of await fixture.discrepancies()) await close(opened(), id);
    await fixture.reconcile();
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    payout.amountKobo = 475_000;
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['short', 5_000]]);
    expect(
      (await fixture.discrepancies('closed')).map(({ kind }) => kind),
      'what is no more is closed no more',
    ).to.deep.equal(['fee_mismatch']);
    payout.amountKobo = 480_000;
    payout.lines = [lineOf(taken, { feeKobo: 20_000 })];
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('closed')).map(({ kind }) => kind)).to.deep.equal([
      'fee_mismatch',
    ]);
  });

  it('is resolved when our books hold what they did not, though nothing of its payout is open', async () => {
    const { fixture, pass } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    pass(1);
    fixture.payOut([unheard]);
    await fixture.reconcile();
    await close(opened(), (await fixture.discrepancies())[0]!.id);
    await fixture.hear(unheard);
    await fixture.reconcile();
    expect((await fixture.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
    expect((await paidOut(fixture))[0]).to.include({
      transaction_count: 1,
      expected_amount_kobo: 482_500,
    });
  });
});
