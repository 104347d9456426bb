import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { close, forecasts, paidOut, withSettlementFixture } from './with-fixture.ts';

const landed = { status: 'landed', landed_amount_kobo: 482_500 };

describe('A settlement', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();
  const eventCount = async () =>
    (await ledger.rows(`select 1 from events where type = 'settlement.landed'`)).length;

  it('that is topped up has the smaller discrepancy, then none, and one event', async () => {
    const payout = fixture.payOut(await paid({}), { amountKobo: 400_000 });
    await reconciled(['short', 82_500]);
    const [first] = await fixture.discrepancies();
    payout.amountKobo = 450_000;
    await reconciled(['short', 32_500]);
    const [second] = await fixture.discrepancies();
    expect(second).to.include({ id: first!.id, amount_kobo: 32_500 });
    expect(second!.detail).to.contain('₦325');
    payout.amountKobo = 482_500;
    await reconciled();
    await hasPaidOut(landed);
    expect(await eventCount()).to.equal(1);
  });

  it('that failed holds no payment and publishes no event, may land later, and fail after that', async () => {
    const [payment] = await paid({});
    const payout = fixture.payOut([payment], { state: 'failed', landedAt: null });
    const failed = { status: 'failed', landed_amount_kobo: 0, expected_amount_kobo: 482_500 };
    await reconciled();
    await hasPaidOut({ ...failed, landed_at: null });
    expect(await forecasts(fixture)).to.have.length(1);
    expect(await fixture.charge(payment)).to.include({ status: 'succeeded' });
    expect(await eventCount()).to.equal(0);
    Object.assign(payout, { state: 'landed', landedAt: ledger.clock() });
    await reconciled();
    await hasPaidOut(landed);
    expect(await eventCount()).to.equal(1);
    payout.state = 'failed';
    await reconciled();
    await hasPaidOut(failed);
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
    passDays(5);
    await reconciled(['missing', 482_500]);
    payout.state = 'landed';
    await reconciled();
    await hasPaidOut(landed);
    expect(await eventCount()).to.equal(2);
  });

  it('has its totals computed again when a payment has grown, or its fee is stated later', async () => {
    const [grown, unstated] = await paid({}, { feeKobo: null });
    fixture.payOut([grown, unstated], { amountKobo: 982_500 });
    await reconciled();
    Object.assign(grown.capture, { amountKobo: 600_000 });
    Object.assign(unstated.capture, { feeKobo: 9_000 });
    for (const payment of [grown, unstated]) await fixture.verify(payment);
    await reconciled(['amount_mismatch', 100_000], ['surplus', -9_000]);
    await hasPaidOut({
      ...{ status: 'short', expected_amount_kobo: 1_073_500, landed_amount_kobo: 982_500 },
    });
  });

  it('that fails while its lines are read releases them', async () => {
    fixture.linesPerPage = 1;
    const payments = await paid({}, {});
    const payout = fixture.payOut(payments);
    let left = 2;
    const { hasTime } = fixture.context;
    fixture.context.hasTime = () => left-- > 0;
    await fixture.reconcile();
    fixture.context.hasTime = hasTime;
    const held = await ledger.rows('select 1 from captures where settlement_id is not null');
    expect(held, 'one is read').to.have.length(1);
    payout.state = 'failed';
    await fixture.reconcile();
    await hasPaidOut({ status: 'failed' });
    expect((await forecasts(fixture))[0]).to.include({ transaction_count: 2 });
    fixture.payOut(payments);
    await reconciled();
  });

  it('that fails has all its lines deleted, however many, and its payment released', async () => {
    const payout = fixture.payOut(await paid({}));
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
    const captures = await ledger.rows('select settlement_id from captures');
    expect(captures).to.deep.equal([{ settlement_id: null }]);
  });

  it('that landed stays landed when its provider states less', async () => {
    const [payment, unrecorded] = await paid({}, { isRecorded: false });
    const payout = fixture.payOut([payment, unrecorded]);
    await fixture.reconcile();
    payout.state = 'pending';
    await fixture.verify(unrecorded);
    await reconciled();
    await hasPaidOut({ status: 'landed', transaction_count: 2 });
  });

  it('that is pending is the forecast of its day with its bank, and deleted when its payments come with another', async () => {
    const payments = await paid({});
    const bank = { name: 'Test Bank', accountLast4: '1234' };
    const pending = { state: 'pending', landedAt: null } as const;
    fixture.payOut([], { ...pending, amountKobo: 1, bank });
    await fixture.reconcile();
    expect(await forecasts(fixture)).to.have.length(1);
    expect((await forecasts(fixture))[0]).to.include({
      ...{ status: 'expected', expected_amount_kobo: 482_500, landed_amount_kobo: null },
      bank_name: 'Test Bank',
    });
    fixture.payOut(payments);
    await reconciled();
    expect(await forecasts(fixture)).to.deep.equal([]);
  });

  it('that is pending without a forecast is not recorded', async () => {
    await paid({});
    fixture.payOut([], { state: 'pending', landedAt: null, dueOn: '2020-01-01' });
    fixture.payOut([], { state: 'unknown', landedAt: null, amountKobo: 77 });
    await fixture.reconcile();
    expect(await paidOut(fixture)).to.deep.equal([]);
  });
});

describe('A discrepancy that a person closed', () => {
  const { ledger, fixture, paid, reconciled, hasPaidOut } = withSettlementFixture();
  const kindsOf = async (status: string) =>
    (await fixture.discrepancies(status)).map(({ kind }) => kind);

  it('stays closed while it is the same, is open again once it changes, and resolved once it vanishes', async () => {
    const [payment] = await paid({});
    const payout = fixture.payOut([lineOf(payment, { feeKobo: 20_000 })], { amountKobo: 470_000 });
    await fixture.reconcile();
    for (const found of await fixture.discrepancies()) await close(ledger, found);
    await fixture.reconcile();
    await reconciled();
    payout.amountKobo = 475_000;
    await reconciled(['short', 5_000]);
    expect(await kindsOf('closed'), 'what is no more').to.deep.equal(['fee_mismatch']);
    payout.amountKobo = 480_000;
    payout.lines = [lineOf(payment, { feeKobo: 20_000 })];
    await reconciled();
    expect(await kindsOf('closed')).to.deep.equal(['fee_mismatch']);
  });

  it('is resolved once the payment is recorded, also where its settlement has no open discrepancy', async () => {
    const [unrecorded] = await paid({ isRecorded: false });
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    await close(ledger, (await fixture.discrepancies())[0]!);
    await fixture.verify(unrecorded);
    await reconciled();
    const [resolved, ...more] = await fixture.discrepancies('resolved');
    expect(more).to.deep.equal([]);
    expect(resolved).to.include({
      ...{ kind: 'never_notified', closed_by: 'operator', close_reason: 'Known.' },
    });
    await hasPaidOut({ transaction_count: 1, expected_amount_kobo: 482_500 });
  });
});
