import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import {
  close,
  forecasts,
  openDiscrepancies,
  paidOut,
  withSettlementFixture,
} from './with-fixture.ts';

describe('A settlement', () => {
  const opened = withSettlementFixture();
  const events = () =>
    opened().ledger.rows(`select subject_id from events where type = 'settlement.landed'`);

  it('is short by what did not land, and has a surplus of what landed on top', async () => {
    const { fixture, passDays } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    fixture.payOut([one], { amountKobo: 482_000 });
    fixture.payOut([two], { amountKobo: 483_500 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([
      ['short', 500],
      ['surplus', -1_000],
    ]);
    expect((await paidOut(fixture)).map(({ status }) => status)).to.deep.equal(['short', 'landed']);
  });

  it('that is topped up has the smaller discrepancy, then none, and one event', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const payout = fixture.payOut([payment], { amountKobo: 400_000 });
    await fixture.reconcile();
    const [first] = await fixture.discrepancies();
    payout.amountKobo = 450_000;
    await fixture.reconcile();
    const [second] = await fixture.discrepancies();
    expect(second).to.include({ id: first!.id, difference_kobo: 32_500, amount_kobo: 32_500 });
    expect(second!.detail).to.contain('₦325');
    payout.amountKobo = 482_500;
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await events()).to.have.length(1);
  });

  it('whose provider states no amount landed with what its lines add up to', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment], { amountKobo: null, deductionsKobo: null });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
      expected_amount_kobo: 482_500,
    });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('that failed holds no payment, publishes no event, and may land later', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const payout = fixture.payOut([payment], { state: 'failed', landedAt: null });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
      landed_at: null,
    });
    expect(await forecasts(fixture)).to.have.length(1);
    expect(await fixture.charge(payment)).to.include({ status: 'succeeded' });
    expect(await events()).to.deep.equal([]);
    Object.assign(payout, { state: 'landed', landedAt: opened().ledger.clock() });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
    expect(await events()).to.have.length(1);
  });

  it('that fails while its lines are read releases them', async () => {
    const { fixture, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    fixture.linesPerPage = 1;
    passDays(1);
    const payout = fixture.payOut(payments);
    let left = 2;
    const { hasTime } = fixture.context;
    fixture.context.hasTime = () => left-- > 0;
    await fixture.reconcile();
    fixture.context.hasTime = hasTime;
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
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('that fails has all its lines deleted, however many, and its payment released', async () => {
    const { fixture, passDays, ledger } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const payout = fixture.payOut([payment]);
    await fixture.reconcile();
    await ledger.rows(
      `insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id,
         reference, amount_kobo, statement_version, is_foreign, needs_rematch)
       select 'sln_0' || n, settlement_id, connection_id, 'foreign-' || n, 'other', 100,
         statement_version, true, false
       from settlement_lines, generate_series(1, 10_001) n`,
    );
    payout.state = 'failed';
    await fixture.reconcile();
    expect(await ledger.rows('select 1 from settlement_lines')).to.deep.equal([]);
    expect(await ledger.rows('select settlement_id from captures')).to.deep.equal([
      { settlement_id: null },
    ]);
  });

  it('that fails after it landed has its payments expected again, until it lands once more', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const payout = fixture.payOut([payment]);
    await fixture.reconcile();
    payout.state = 'failed';
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'failed',
      landed_amount_kobo: 0,
      expected_amount_kobo: 482_500,
    });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
    passDays(5);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['missing', 482_500]]);
    payout.state = 'landed';
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
    });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await events()).to.have.length(2);
  });

  it('that landed stays landed when its provider states less', async () => {
    const { fixture, passDays } = opened();
    const [payment, unrecorded] = [await fixture.pay(), await fixture.pay({ isRecorded: false })];
    passDays(1);
    const payout = fixture.payOut([payment, unrecorded]);
    await fixture.reconcile();
    payout.state = 'pending';
    await fixture.verify(unrecorded);
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', transaction_count: 2 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('that is pending is the forecast of its day, and lands under the same id', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const bank = { name: 'Test Bank', accountLast4: '1234' };
    const payout = fixture.payOut([payment], {
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

  it('that is pending without a forecast is not recorded', async () => {
    const { fixture, passDays } = opened();
    await fixture.pay();
    passDays(1);
    fixture.payOut([], { state: 'pending', landedAt: null, dueOn: '2020-01-01' });
    fixture.payOut([], { state: 'unknown', landedAt: null, amountKobo: 77 });
    await fixture.reconcile();
    expect(await paidOut(fixture)).to.deep.equal([]);
  });

  it('that is pending is deleted when its payments come with another', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([], { state: 'pending', landedAt: null });
    await fixture.reconcile();
    fixture.payOut([payment]);
    await fixture.reconcile();
    expect(await forecasts(fixture)).to.deep.equal([]);
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('whose lines cannot be read does not delay another', async () => {
    const { fixture, passDays } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    const unreadable = fixture.payOut([one]);
    fixture.payOut([two]);
    fixture.unreadable.add(unreadable.providerSettlementId);
    expect((await fixture.reconcile()).error?.kind).to.equal('unknown');
    expect(await fixture.charge(two)).to.include({ status: 'settled' });
    expect(await fixture.charge(one)).to.include({ status: 'succeeded' });
    expect(await events()).to.have.length(1);
    fixture.unreadable.clear();
    await fixture.reconcile();
    expect(await fixture.charge(one)).to.include({ status: 'settled' });
  });
});

describe('A discrepancy that a person closed', () => {
  const opened = withSettlementFixture();

  it('stays closed while it is the same, is open again once it changes, and resolved once it vanishes', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const payout = fixture.payOut([lineOf(payment, { feeKobo: 20_000 })], { amountKobo: 470_000 });
    await fixture.reconcile();
    for (const { id } of await fixture.discrepancies()) await close(opened(), id);
    await fixture.reconcile();
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    payout.amountKobo = 475_000;
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['short', 5_000]]);
    expect(
      (await fixture.discrepancies('closed')).map(({ kind }) => kind),
      'what is no more is closed no more',
    ).to.deep.equal(['fee_mismatch']);
    payout.amountKobo = 480_000;
    payout.lines = [lineOf(payment, { feeKobo: 20_000 })];
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('closed')).map(({ kind }) => kind)).to.deep.equal([
      'fee_mismatch',
    ]);
  });

  it('is resolved once the payment is recorded, also where its settlement has no open discrepancy', async () => {
    const { fixture, passDays } = opened();
    const unrecorded = await fixture.pay({ isRecorded: false });
    passDays(1);
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    await close(opened(), (await fixture.discrepancies())[0]!.id);
    await fixture.verify(unrecorded);
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
