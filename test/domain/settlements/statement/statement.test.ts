import { expect } from 'chai';
import { takeSnapshots } from '../../../../domain/journal/snapshots.ts';
import type { DisputeStatus } from '../../../../domain/payments/dispute/transitions.ts';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import { postReturns } from '../../../../domain/payments/posting/post-returns.ts';
import type { Movement, PayoutLine } from '../../../../domain/settlements/statement/read-lines.ts';
import { statementOf } from '../../../../domain/settlements/statement/statement.ts';
import type { Slot } from '../../../../domain/shared/slot.ts';
import { HOUR } from '../../../support/clock.ts';
import type { FixturePayment } from '../settlement/fixture.ts';
import {
  close as closeDiscrepancy,
  sendBack,
  withSettlementFixture,
} from '../settlement/with-fixture.ts';

const naira = (amount: number) => amount * 100;

describe('The statement of a month', () => {
  const { ledger, fixture } = withSettlementFixture();

  const goTo = (at: string) => ledger.clock.advance(Date.parse(at) - ledger.clock().getTime());
  const statement = async (month: string, provider: Slot | null = null) => {
    const [{ id: tenantId }] = await ledger.rows('select id from tenants');
    const reader = { tenantId, mode: 'test' as const };
    return statementOf(ledger.db, reader, { month, provider, now: ledger.clock() });
  };
  const close = () => takeSnapshots({ db: ledger.db, now: ledger.clock() }, 50_000);

  const dispute = ({ attempt, capture }: FixturePayment, status: DisputeStatus) =>
    ledger.inTx((tx) =>
      recordDispute(tx, attempt.connection_id, {
        providerDisputeId: `of-${capture.providerPaymentId}`,
        providerPaymentId: capture.providerPaymentId,
        ...{ amountKobo: null, state: status, status, raw: `"${status}"` },
      }),
    );
  const again = ({ capture }: FixturePayment) => ({ ...capture, providerPaymentId: 'again' });
  const payOut = async (payment: FixturePayment, amountKobo: number) => {
    fixture.payOut([payment], { amountKobo });
    await fixture.reconcile();
  };

  /**
   * Charges of ₦5,000 at a fee of ₦75. March: one is paid out ₦50 short, one is disputed, one is
   * paid twice, and the fee of one is not stated. April: the fee is stated, a payment of March's last
   * moment becomes known, and the dispute is lost.
   */
  let twice: FixturePayment;
  let march: Awaited<ReturnType<typeof statement>>;
  const fee = { feeKobo: naira(75) };
  beforeEach(async () => {
    goTo('2027-03-10T09:00:00Z');
    const pay = () => fixture.pay(fee);
    const [paidOut, disputed] = [await pay(), await pay()];
    twice = await pay();
    const withoutFee = await fixture.pay({ feeKobo: null });
    await fixture.verify({ ...twice, capture: again(twice) });
    goTo('2027-03-11T09:00:00Z');
    await payOut(paidOut, naira(4_875));
    await dispute(disputed, 'open');
    goTo('2027-04-01T00:00:00+01:00');
    ledger.clock.advance(HOUR);
    await close();
    march = await statement('2027-03');
    await fixture.pay({ ...fee, capturedAt: new Date('2027-03-31T23:59:59.999+01:00') });
    await fixture.verify({ ...withoutFee, capture: { ...withoutFee.capture, feeKobo: naira(90) } });
    goTo('2027-04-20T09:00:00Z');
    await dispute(disputed, 'lost');
    await fixture.pay(fee);
    goTo('2027-05-02T09:00:00+01:00');
    await close();
  });

  const shown = ({ accounts, movements, late_movements: late }: typeof march) => ({
    accounts: accounts
      .map((one) => [one.account, one.opening_kobo / 100, one.closing_kobo / 100])
      .filter(([, ...balances]) => balances.some((balance) => balance !== 0)),
    movements: movements.map(inWords),
    late: late.map((one) => `${one.day}: ${inWords(one)}`),
  });
  const inWords = ({ type, debit, credit, count, amount_kobo: kobo }: Movement) =>
    `${count} ${type}: ${debit} ← ${credit} ${kobo / 100}`;

  it('leads from opening to closing balances, with what was learned late on lines of its own', async () => {
    expect(shown(march)).to.deep.equal({
      accounts: [
        ['at_provider', 0, 14_775],
        ['bank', 0, 4_875],
        ['held_by_dispute', 0, 5_000],
        ['collected', 0, -20_000],
        ['fees', 0, 300],
        ['payers', 0, -5_000],
        ['differences', 0, 50],
      ],
      movements: [
        '4 capture: at_provider ← collected 20000',
        '1 capture: at_provider ← payers 5000',
        '4 fee: fees ← at_provider 300',
        '1 dispute: held_by_dispute ← at_provider 5000',
        '1 payout: bank ← at_provider 4875',
        '1 difference: differences ← at_provider 50',
      ],
      late: [],
    });
    expect(shown(await statement('2027-04'))).to.deep.equal({
      accounts: [
        ['at_provider', 14_775, 24_535],
        ['bank', 4_875, 4_875],
        ['held_by_dispute', 5_000, 0],
        ['collected', -20_000, -30_000],
        ['fees', 300, 540],
        ['disputes_lost', 0, 5_000],
        ['payers', -5_000, -5_000],
        ['differences', 50, 50],
      ],
      movements: [
        '1 capture: at_provider ← collected 5000',
        '1 fee: fees ← at_provider 75',
        '1 dispute: disputes_lost ← held_by_dispute 5000',
      ],
      late: [
        '2027-03-10: 1 fee: fees ← at_provider 90',
        '2027-03-31: 1 capture: at_provider ← collected 5000',
        '2027-03-31: 1 fee: fees ← at_provider 75',
      ],
    });
  });

  it('lists payouts with their days in the bank, and what is still open with its source', () => {
    const { payouts, open, check } = march;
    const [{ settlement_id: settlement, ...payout }] = payouts.lines as [PayoutLine];
    expect(payout).to.deep.equal({
      ...{ provider: 'provider_a', day: '2027-03-11', other_business_kobo: 0 },
      ...{ landed_kobo: naira(4_875), difference_kobo: naira(50) },
    });
    const rows = open.map(({ account, lines: [line] }) => [account, line!.day, line!.amount_kobo]);
    expect(rows).to.deep.equal([
      ['held_by_dispute', '2027-03-11', naira(5_000)],
      ['payers', '2027-03-10', naira(-5_000)],
      ['differences', '2027-03-11', naira(50)],
    ]);
    expect(open[2]!.lines[0]!.source).to.equal(settlement);
    const figures = { movements_kobo: 0, accounts_kobo: 0, payouts_kobo: 0, open_kobo: 0 };
    expect(check).to.deep.equal({ balanced: true, ...figures });
  });

  it('does not list what went back to its payer', async () => {
    await sendBack(ledger, { ...twice, capture: again(twice) }, naira(5_000));
    await ledger.inTx(async (tx) => {
      const [{ id }] = await ledger.rows(
        "select id from captures where provider_payment_id = 'again'",
      );
      await ledger.rows("update refunds set origin = 'system'");
      await postReturns(tx, id);
    });
    const { open, check } = await statement('2027-05');
    expect(open[1]).to.deep.equal({ account: 'payers', count: 0, amount_kobo: 0, lines: [] });
    expect(check.balanced).to.equal(true);
  });

  it('does not list what was owed to a payer whose bank took it back', async () => {
    await dispute({ ...twice, capture: again(twice) }, 'lost');
    const { open, check } = await statement('2027-05');
    expect(open[1]).to.deep.equal({ account: 'payers', count: 0, amount_kobo: 0, lines: [] });
    expect(check.balanced).to.equal(true);
  });

  it('does not list a difference that a person gave a reason for', async () => {
    const [short] = await fixture.discrepancies();
    await closeDiscrepancy(ledger, short!);
    const { open, check } = await statement('2027-05');
    expect(open[2]).to.deep.equal({ account: 'differences', count: 0, amount_kobo: 0, lines: [] });
    expect(check.balanced).to.equal(true);
  });

  it('stays what it was once its month is closed', async () => {
    expect(march).to.include({ closed: true, counted_until: '2027-03-31T23:00:00.000Z' });
    expect(await statement('2027-03')).to.deep.equal(march);
  });

  it('is not closed before the month is over and nothing of it can be posted any more', async () => {
    const may = await statement('2027-05');
    expect(may.closed).to.equal(false);
    expect(Date.parse(may.counted_until)).to.be.closeTo(ledger.clock().getTime(), HOUR);
    goTo('2027-05-31T23:01:00Z');
    expect(await statement('2027-05')).to.include({ closed: false, counted_until: may.to });
    ledger.clock.advance(HOUR);
    await close();
    expect(await statement('2027-05')).to.include({ closed: true, counted_until: may.to });
  });

  it('is of one provider or of all', async () => {
    const { accounts, payouts, open } = await statement('2027-03', 'provider_b');
    expect(accounts.flatMap(({ account: _, ...kobo }) => Object.values(kobo))).to.deep.equal(
      Array(accounts.length * 4).fill(0),
    );
    expect([payouts.count, ...open.map(({ count }) => count)]).to.deep.equal([0, 0, 0, 0]);
    expect(shown(await statement('2027-03', 'provider_a'))).to.deep.equal(shown(march));
  });

  it('is refused of a month that lies ahead, and of one before the tenant and all postings', async () => {
    await ledger.rows("update tenants set created_at = '2027-04-10'");
    expect(await statement('2027-03')).to.deep.equal(march);
    for (const [month, why] of [
      ['2027-06', 'must not lie ahead'],
      ['2027-02', 'must not be before the business was created'],
    ] as const)
      expect(await statement(month).catch((error) => error.fields)).to.deep.equal({ month: why });
  });
});
