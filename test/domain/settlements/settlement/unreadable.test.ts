import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { readAgainAt } from '../../../../domain/settlements/settlement/schedule.ts';
import { recordFailedRead } from '../../../../domain/settlements/settlement/unreadable.ts';
import { DAY, HOUR, MINUTE } from '../../../support/clock.ts';
import { lineOf, type Payout, unclearLine } from './fixture.ts';
import { close, openDiscrepancies, paidOut, withSettlementFixture } from './with-fixture.ts';

const unreadable = ['unreadable', 0] as const;

describe('A settlement whose list of lines cannot be read', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();

  /** Three rounds, five minutes apart, after which it counts as unreadable. */
  const failThrice = async () => {
    for (const isDone of [false, false, true]) {
      const run = await fixture.reconcile();
      expect([run.isDone, run.error?.kind]).to.deep.equal([isDone, isDone ? undefined : 'unknown']);
      ledger.clock.advance(5 * MINUTE);
    }
  };

  const unreadablePayout = async () => {
    const [payment] = await paid({});
    const payout = fixture.payOut([payment]);
    fixture.unreadable.add(payout.providerSettlementId);
    await failThrice();
    return { payment, payout };
  };

  it('is tried three times, then is a discrepancy, and the round is over; it resolves once it is read', async () => {
    const { payment } = await unreadablePayout();
    const [settlement] = await paidOut(fixture);
    expect(await openDiscrepancies(fixture)).to.deep.equal([unreadable]);
    const [found] = await fixture.discrepancies();
    expect(found).to.include({ settlement_id: settlement.id, amount_kobo: 482_500 });
    expect(found!.detail).to.include('a line without an amount');

    fixture.unreadable.clear();
    await reconciled(unreadable); // not before it is due
    ledger.clock.advance(HOUR);
    await reconciled();
    expect((await fixture.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([
      found!.id,
    ]);
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
    await hasPaidOut({ status: 'landed', failed_reads: 0 });
  });

  it('hides no payment of another day; one of its day is missing once a person closes it', async () => {
    const [held, elsewhere] = await paid({}, { amountKobo: 300_000 });
    const payout = fixture.payOut([held]);
    fixture.unreadable.add(payout.providerSettlementId);
    await failThrice();
    passDays(1);
    const lost = await fixture.pay({ amountKobo: 700_000 });
    passDays(13);
    await fixture.reconcile();
    const missing = ({ capture }: typeof lost) =>
      ['missing', capture.amountKobo - capture.feeKobo!] as const;
    expect(await openDiscrepancies(fixture)).to.deep.equal([missing(lost), unreadable]);
    const [found] = (await fixture.discrepancies()).filter(({ kind }) => kind === 'unreadable');
    await close(ledger, found!);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal(
      [missing(elsewhere), missing(held), missing(lost)].sort(([, one], [, other]) => one - other),
    );
    expect((await fixture.discrepancies('closed')).map(({ id }) => id)).to.deep.equal([found!.id]);
  });

  it('is asked for in rounds an hour apart at first, then every day', async () => {
    await unreadablePayout();
    fixture.calls = [];
    for (let hour = 0; hour < 72; hour++) {
      ledger.clock.advance(HOUR);
      await fixture.reconcile();
    }
    // After 1, 2, 4, 8, 16 and 24 hours; each round lists the settlements.
    const count = (call: string) => fixture.calls.filter((one) => one.startsWith(call)).length;
    expect([count('listSettlements'), count('listLines')]).to.deep.equal([72, 6]);
  });

  it('is read at once where somebody asks for all of them', async () => {
    const { payment } = await unreadablePayout();
    fixture.unreadable.clear();
    fixture.context.triesAllAgain = true;
    await reconciled();
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
  });

  it('is read at once where its statement changes, from the first line on', async () => {
    const payout = fixture.payOut(await paid({}, {}, {}, {}, {}));
    fixture.failing.set('listLines', new ProviderError('unknown', 'test', 'unreadable'));
    await failThrice();
    fixture.failing.clear();
    Object.assign(payout, { lines: payout.lines.slice(1), amountKobo: 4 * 482_500 });
    await fixture.reconcile();
    await hasPaidOut({ status: 'landed', transaction_count: 4 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('is no discrepancy any more where it failed', async () => {
    Object.assign((await unreadablePayout()).payout, { state: 'failed' });
    await reconciled();
    passDays(10);
    await reconciled(['missing', 482_500]);
  });

  it('is none where the credentials are refused: nothing can be read', async () => {
    const [payment] = await paid({});
    fixture.payOut([payment]);
    const refused = new ProviderError('refused', 'test', 'Invalid key', {
      refusesCredentials: true,
    });
    fixture.failing.set('listLines', refused);
    for (let run = 0; run < 4; run++)
      expect(await fixture.reconcile()).to.include({ isDone: false, error: refused });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('is not taken for unreadable by a reader that comes late', async () => {
    const [payment] = await paid({});
    fixture.payOut([payment]);
    await fixture.reconcile();
    const [read] = await paidOut(fixture);
    const late = { id: read.id, statement_version: read.statement_version, failed_reads: 5 };
    const error = new ProviderError('unknown', 'test', 'unreadable');
    expect(await recordFailedRead(fixture.context, late, error)).to.equal(false);
    await ledger.rows(`update settlements set step = 'read_lines', statement_version = 9`);
    expect(await recordFailedRead(fixture.context, late, error)).to.equal(false);
    await hasPaidOut({ step: 'read_lines', failed_reads: 0, unreadable_reason: null });
  });
});

describe('A line of one of our payments without a clear amount', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();

  it('settles every other charge, and its own once it is clear', async () => {
    const [odd, clear, lost] = await paid({}, {}, {});
    const payout = fixture.payOut([lineOf(odd, unclearLine), clear], { amountKobo: 965_000 });
    await reconciled(unreadable);
    expect((await fixture.discrepancies())[0]!.detail).to.include(
      `payment ${odd.capture.reference}: it is not in naira`,
    );
    expect(await fixture.charge(clear)).to.include({ status: 'settled' });
    expect(await fixture.charge(odd)).to.include({ status: 'succeeded', settled_at: null });
    passDays(5);
    await reconciled(['missing', 482_500], unreadable); // it is known who is in it
    expect((await fixture.discrepancies()).find(({ kind }) => kind === 'missing')).to.include({
      charge_id: lost.chargeId,
    });
    payout.lines[0] = lineOf(odd);
    ledger.clock.advance(DAY);
    await reconciled(['missing', 482_500]);
    const [settlement] = await paidOut(fixture);
    expect(settlement).to.include({ status: 'landed', gross_kobo: 1_000_000 });
    expect(await fixture.charge(odd)).to.include({
      ...{ status: 'settled', settlement_id: settlement.id, fee_kobo: 17_500 },
    });
  });

  it('whose payment is learned later keeps it from being missing', async () => {
    const [odd] = await paid({ isRecorded: false });
    const payout = fixture.payOut([lineOf(odd, unclearLine)], { amountKobo: 482_500 });
    await fixture.reconcile();
    await fixture.verify(odd);
    passDays(10);
    await reconciled(unreadable);
    expect(await fixture.charge(odd)).to.include({ status: 'succeeded', settled_at: null });
    payout.lines[0] = lineOf(odd);
    ledger.clock.advance(DAY);
    await reconciled();
    expect(await fixture.charge(odd)).to.include({ status: 'settled' });
  });

  it('stays unreadable in part however many pages were read before the process died', async () => {
    const [odd, ...others] = await paid({}, {}, {}, {}, {}, {}, {});
    fixture.payOut([lineOf(odd, unclearLine), ...others], { amountKobo: 7 * 482_500 });
    const { hasTime } = fixture.context;
    fixture.context.hasTime = () => !fixture.calls.join().includes('listLines');
    expect((await fixture.reconcile()).isDone).to.equal(false);
    const [half] = await paidOut(fixture);
    expect(half).to.include({ step: 'read_lines', unreadable_reason: null });
    expect(half.lines_cursor).not.to.equal(null);
    fixture.context.hasTime = hasTime;
    await fixture.reconcile();
    await hasPaidOut({ step: 'unclear' });
    expect(await openDiscrepancies(fixture)).to.deep.equal([unreadable]);
  });
});

describe('A statement whose amount cannot be read', () => {
  const { ledger, fixture, paid, passDays, reconciled } = withSettlementFixture();
  const unclear = {
    ...{ state: 'unclear' as const, amountKobo: null, deductionsKobo: null },
    unclear: 'an amount is not whole kobo: -5',
  };
  const makeClear = (payout: Payout) => {
    Object.assign(payout, { state: 'landed', amountKobo: 482_500, deductionsKobo: 0 });
    delete payout.unclear;
  };

  it('is a discrepancy, and hides neither the other settlements nor a missing payment', async () => {
    const [inOdd, inGood, lost] = await paid({}, {}, {});
    const odd = fixture.payOut([inOdd], unclear);
    passDays(1);
    fixture.payOut([inGood]);
    expect(await fixture.reconcile()).to.include({ isDone: true, error: null });
    expect(await openDiscrepancies(fixture)).to.deep.equal([unreadable]);
    expect((await fixture.discrepancies())[0]!.detail).to.include('not whole kobo: -5');
    expect(await fixture.charge(inGood)).to.include({ status: 'settled' });
    expect(await fixture.charge(inOdd)).to.include({ status: 'succeeded' });
    const onAnotherDay = await fixture.pay({ amountKobo: 700_000 });
    passDays(13);
    await reconciled(['missing', 682_500], unreadable);
    expect((await fixture.discrepancies()).map(({ charge_id: id }) => id)).to.include(
      onAnotherDay.chargeId,
    );

    makeClear(odd);
    await fixture.reconcile();
    expect(await fixture.charge(inOdd)).to.include({ status: 'settled' });
    expect(await openDiscrepancies(fixture)).to.deep.equal([
      ['missing', lost.capture.amountKobo - 17_500],
      ['missing', 682_500],
    ]);
  });

  it('is asked for again after the rounds have moved past its day', async () => {
    const [payment] = await paid({});
    const odd = fixture.payOut([payment], unclear);
    await fixture.reconcile();
    passDays(60);
    await reconciled(unreadable);
    makeClear(odd);
    await reconciled(unreadable); // not before it is due
    ledger.clock.advance(HOUR);
    await reconciled();
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
  });

  it('of a settlement that was read before says so, and is compared again once it is clear', async () => {
    const [payment] = await paid({});
    const payout = fixture.payOut([payment], { amountKobo: 400_000 });
    await reconciled(['short', 82_500]);
    Object.assign(payout, unclear);
    await reconciled(['short', 82_500], unreadable);
    makeClear(payout);
    await reconciled();
  });
});

describe('An answer about one payment that cannot be read', () => {
  const { fixture, passDays } = withSettlementFixture('monnify');

  it('leaves that one missing, and others are asked about', async () => {
    const odd = await fixture.pay();
    passDays(3);
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    passDays(5);
    fixture.payOut([one, two]);
    const unclear = new ProviderError('unknown', 'test', 'the answer is about another payment');
    fixture.onAnswer = (_call, asked) => {
      if (asked === odd.capture.providerPaymentId) throw unclear;
    };
    expect(await fixture.reconcile()).to.include({ isDone: true, error: null });
    expect(await fixture.charge(two)).to.include({ status: 'settled' });
    const found = await fixture.discrepancies();
    expect(found.map(({ kind, charge_id: id }) => [kind, id])).to.deep.equal([
      ['missing', odd.chargeId],
    ]);
    const run = await fixture.reconcile();
    expect(run, 'nothing was answered').to.deep.include({ isDone: false, error: unclear });
  });
});

describe('Reading a settlement again', () => {
  it('waits an hour at first, then twice as long each time, and a day at most', () => {
    const now = new Date(0);
    const hours = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000].map(
      (failedReads) => readAgainAt(now, failedReads).getTime() / HOUR,
    );
    expect(hours).to.deep.equal([1, 1, 1, 2, 4, 8, 16, 24, 24, 24]);
  });
});
