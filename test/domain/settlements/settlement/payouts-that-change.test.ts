import { expect } from 'chai';
import { lineOf } from './till.ts';
import { close, forecasts, openIn, paidOut, withTill } from './with-till.ts';

describe('A payout', () => {
  const opened = withTill();
  const events = () =>
    opened().ledger.rows(`select subject_id from events where type = 'settlement.landed'`);

  it('that lands short, or with too much, is short or surplus by what it does not add up to', async () => {
    const { till, pass } = opened();
    const [one, two] = [await till.pay(), await till.pay()];
    pass(1);
    till.payOut([one], { amountKobo: 482_000 });
    till.payOut([two], { amountKobo: 483_500 });
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([
      ['short', 500],
      ['surplus', -1_000],
    ]);
    expect((await paidOut(till)).map(({ status }) => status)).to.deep.equal(['short', 'landed']);
  });

  it('that is topped up later is followed down to nothing, and told once', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    const payout = till.payOut([taken], { amountKobo: 400_000 });
    await till.reconcile();
    const [first] = await till.discrepancies();
    payout.amountKobo = 450_000;
    await till.reconcile();
    const [second] = await till.discrepancies();
    expect(second).to.include({ id: first!.id, difference_kobo: 32_500, amount_kobo: 32_500 });
    expect(second!.detail).to.contain('₦325');
    payout.amountKobo = 482_500;
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    expect((await paidOut(till))[0]).to.include({ status: 'landed', landed_amount_kobo: 482_500 });
    expect(await events()).to.have.length(1);
  });

  it('of which nobody states the amount comes to what its lines and deductions do', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    till.payOut([taken], { amountKobo: null, deductionsKobo: null });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
      expected_amount_kobo: 482_500,
    });
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('that failed claims nothing, is told of to nobody, and its payments are expected as before', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    const payout = till.payOut([taken], { state: 'failed', landedAt: null });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
      landed_at: null,
    });
    expect(await forecasts(till)).to.have.length(1);
    expect(await till.charge(taken)).to.include({ status: 'succeeded' });
    expect(await events()).to.deep.equal([]);
    Object.assign(payout, { state: 'landed', landedAt: opened().ledger.clock() });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({ status: 'landed', landed_amount_kobo: 482_500 });
    expect(await till.charge(taken)).to.include({ status: 'settled' });
    expect(await events()).to.have.length(1);
  });

  it('that fails while its lines are read gives them back', async () => {
    const { till, pass } = opened();
    const payments = [await till.pay(), await till.pay()];
    till.linesAPage = 1;
    pass(1);
    const payout = till.payOut(payments);
    let left = 2;
    const { hasTime } = till.desk;
    till.desk.hasTime = () => left-- > 0;
    await till.reconcile();
    till.desk.hasTime = hasTime;
    expect(
      await opened().ledger.rows('select 1 from captures where settlement_id is not null'),
      'one is read',
    ).to.have.length(1);
    Object.assign(payout, { state: 'failed' });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({ status: 'failed' });
    expect((await forecasts(till))[0]).to.include({ transaction_count: 2 });
    till.payOut(payments);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('that bounces after it landed has failed, and its payments are expected again, until it lands once more', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    const payout = till.payOut([taken]);
    await till.reconcile();
    payout.state = 'failed';
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
    });
    expect(await openIn(till)).to.deep.equal([]);
    expect(await till.charge(taken)).to.include({ status: 'settled' });
    pass(5);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['missing', 482_500]]);
    payout.state = 'landed';
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({ status: 'landed', landed_amount_kobo: 482_500 });
    expect(await openIn(till)).to.deep.equal([]);
    expect(await events()).to.have.length(2);
  });

  it('that landed is not undone by a word that says less', async () => {
    const { till, pass } = opened();
    const [taken, unheard] = [await till.pay(), await till.pay({ isHeard: false })];
    pass(1);
    const payout = till.payOut([taken, unheard]);
    await till.reconcile();
    payout.state = 'pending';
    await till.hear(unheard);
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({ status: 'landed', transaction_count: 2 });
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('that is on its way is what we think is coming that day, and lands under the same id', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    const bank = { name: 'Test Bank', accountLast4: '1234' };
    const payout = till.payOut([taken], { state: 'pending', landedAt: null, amountKobo: 1, bank });
    await till.reconcile();
    const [expected] = await forecasts(till);
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
    await till.reconcile();
    expect(await forecasts(till)).to.deep.equal([]);
    expect((await paidOut(till))[0]).to.include({
      id: expected.id,
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await events()).to.deep.equal([{ subject_id: expected.id }]);
  });

  it('that is on its way on a day we think of nothing for is not written', async () => {
    const { till, pass } = opened();
    await till.pay();
    pass(1);
    till.payOut([], { state: 'pending', landedAt: null, dueOn: '2020-01-01' });
    till.payOut([], { state: 'unknown', landedAt: null, amountKobo: 77 });
    await till.reconcile();
    expect(await paidOut(till)).to.deep.equal([]);
  });

  it('whose payments came in another is gone while it is on its way', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    till.payOut([], { state: 'pending', landedAt: null });
    await till.reconcile();
    till.payOut([taken]);
    await till.reconcile();
    expect(await forecasts(till)).to.deep.equal([]);
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('whose lines cannot be read holds up no other', async () => {
    const { till, pass } = opened();
    const [one, two] = [await till.pay(), await till.pay()];
    pass(1);
    const mangled = till.payOut([one]);
    till.payOut([two]);
    till.mangled.add(mangled.providerSettlementId);
    expect((await till.reconcile()).error?.kind).to.equal('unknown');
    expect(await till.charge(two)).to.include({ status: 'settled' });
    expect(await till.charge(one)).to.include({ status: 'succeeded' });
    expect(await events()).to.have.length(1);
    till.mangled.clear();
    await till.reconcile();
    expect(await till.charge(one)).to.include({ status: 'settled' });
  });
});

describe('A discrepancy that a person closed', () => {
  const opened = withTill();

  it('stays closed while it is the same, is open anew once it changes, and resolved once it vanishes', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    const payout = till.payOut([lineOf(taken, { feeKobo: 20_000 })], { amountKobo: 470_000 });
    await till.reconcile();
    for (const { id } of await till.discrepancies()) await close(opened(), id);
    await till.reconcile();
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    payout.amountKobo = 475_000;
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['short', 5_000]]);
    expect(
      (await till.discrepancies('closed')).map(({ kind }) => kind),
      'what is no more is closed no more',
    ).to.deep.equal(['fee_mismatch']);
    payout.amountKobo = 480_000;
    payout.lines = [lineOf(taken, { feeKobo: 20_000 })];
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    expect((await till.discrepancies('closed')).map(({ kind }) => kind)).to.deep.equal([
      'fee_mismatch',
    ]);
  });

  it('is resolved when our books hold what they did not, though nothing of its payout is open', async () => {
    const { till, pass } = opened();
    const unheard = await till.pay({ isHeard: false });
    pass(1);
    till.payOut([unheard]);
    await till.reconcile();
    await close(opened(), (await till.discrepancies())[0]!.id);
    await till.hear(unheard);
    await till.reconcile();
    expect((await till.discrepancies('resolved')).map(({ kind }) => kind)).to.deep.equal([
      'never_notified',
    ]);
    expect((await paidOut(till))[0]).to.include({
      transaction_count: 1,
      expected_amount_kobo: 482_500,
    });
  });
});
