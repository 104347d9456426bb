import { expect } from 'chai';
import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import type { StoredConnection } from '../../../domain/accounts/connection/connection.ts';
import { postingTypes } from '../../../domain/journal/entities/posting.ts';
import type { Account } from '../../../domain/journal/moved.ts';
import { runningTotals } from '../../../domain/journal/running-totals.ts';
import { acceptOrReturnReview } from '../../../domain/payments/commands/accept-or-return-review.ts';
import { approveRefund } from '../../../domain/payments/commands/approve-or-reject-refund.ts';
import { requestRefund } from '../../../domain/payments/commands/request-refund.ts';
import type { DisputeStatus } from '../../../domain/payments/dispute/transitions.ts';
import { importPayments } from '../../../domain/payments/facts/import-payments.ts';
import { recordDispute } from '../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../domain/payments/facts/record-listed-refunds.ts';
import { recordReversal } from '../../../domain/payments/facts/record-reversal.ts';
import type { RefundSource } from '../../../domain/payments/refund/row.ts';
import type { Verification } from '../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import type { ProviderRefund, RefundOrder } from '../../../domain/providers/port/refund.ts';
import type { Mode } from '../../../domain/shared/reader.ts';
import { untold } from '../../../domain/shared/tx.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import { runJob } from '../../../workers/run-job.ts';
import { expectBooks, expectRefunds } from '../../support/books.ts';
import { DAY } from '../../support/clock.ts';
import { useLedgerForEach } from '../ledger.ts';
import { openCharge, paid, recordNotice } from '../notices.ts';
import { contextOf, listedRefund } from '../payments/refund-fixture.ts';
import { type FixturePayment, lineOf } from '../settlements/settlement/fixture.ts';
import { close, withSettlementFixture } from '../settlements/settlement/with-fixture.ts';

const letters: Record<Account, string> = {
  ...{ at_provider: 'P', bank: 'B', held_by_dispute: 'H', collected: 'C', fees: 'F' },
  ...{ refunds: 'R', disputes_lost: 'L', payers: 'Y', other_business: 'O' },
  ...{ differences: 'D', written_off: 'W' },
};

/** Charges ask ₦5,000 and the fee is ₦75 where nothing is said. All amounts are in naira. */
const FEE = { feeKobo: 7_500 };
const NO_FEE = { feeKobo: 0 };

describe('A bookkeeper follows the money', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();

  /** `X ← Y n`: debit X, credit Y, n naira; those of one moment in the order of their types. */
  const posted = async (story: string) => {
    const rows = await ledger.rows(
      `select debit, credit, amount_kobo from postings
       order by created_at, array_position($1, type), sequence`,
      postingTypes,
    );
    const lines = rows.map(
      (row) =>
        `${letters[row.debit as Account]} ← ${letters[row.credit as Account]} ${naira(row.amount_kobo)}`,
    );
    expect(lines.join('; ')).to.equal(story);
  };
  /** The accounts that are not zero: debits positive. */
  const balances = async (end: string) => {
    const rows = await ledger.rows(
      `select account, sum(kobo)::bigint as kobo from (
         select debit as account, amount_kobo as kobo from postings
         union all select credit, -amount_kobo from postings) moved
       group by account having sum(kobo) <> 0`,
    );
    const held = new Map(rows.map(({ account, kobo }) => [letters[account as Account], kobo]));
    const order = Object.values(letters).filter((letter) => held.has(letter));
    expect(order.map((letter) => `${letter} ${naira(held.get(letter))}`).join(', ')).to.equal(end);
  };
  const tells = async (story: string, end: string) => {
    await posted(story);
    await balances(end);
    await expectBooks(ledger.db);
    await expectRefunds(ledger.db);
  };

  const pay = async (kobo = 500_000, stated: Parameters<typeof fixture.pay>[0] = {}) => {
    const payment = await fixture.pay({ amountKobo: kobo, ...FEE, ...stated });
    ledger.clock.advance(1_000);
    return payment;
  };
  /** Another payment of the same charge, at the same provider. */
  const payAgain = (
    { chargeId, attempt, capture }: FixturePayment,
    stated: Partial<FixturePayment['capture']> = {},
  ) => fixture.verify({ chargeId, attempt, capture: { ...capture, ...stated } });
  const second = { providerPaymentId: 'second' };

  const payoutOf = (...payments: FixturePayment[]) => fixture.payOut(payments);
  const reconcile = async () => {
    await fixture.reconcile();
    ledger.clock.advance(1_000);
  };
  const paidOut = async (...payments: FixturePayment[]) => {
    passDays(1);
    const payout = payoutOf(...payments);
    await reconcile();
    return payout;
  };

  /** What the provider answers to a refund instead. */
  let refusal: ProviderError | undefined;
  beforeEach(() => {
    refusal = undefined;
  });
  const provider = {
    capabilities: { idempotentRefunds: false },
    listRefunds: async () => [],
    findRefund: async () => undefined,
    refund: async ({ refundId, amountKobo }: RefundOrder): Promise<ProviderRefund> => {
      if (refusal) throw refusal;
      return listedRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo });
    },
  } as unknown as Provider;
  const sendRefunds = async () => {
    const due = await ledger.rows("select id from refunds where status = 'approved' order by id");
    for (const { id } of due)
      await runJob(
        contextOf(ledger, () => provider),
        executeRefund,
        { id },
      );
    ledger.clock.advance(1_000);
  };
  const actorOf = async (chargeId: string): Promise<Actor> => {
    const { tenant_id: tenantId } = await ledger.charge(chargeId);
    return { tenantId, mode: 'test', subjectId: 'key_test', memberId: null };
  };
  const refund = async ({ chargeId }: FixturePayment, kobo: number) => {
    const actor = await actorOf(chargeId);
    const { number: chargeNumber } = await ledger.charge(chargeId);
    await ledger.inTx(async (tx) => {
      const wanted = { chargeNumber, amountKobo: kobo, reason: 'Wrong size' };
      const { id } = await requestRefund(tx, actor, wanted);
      await approveRefund(tx, actor, id);
    });
    await sendRefunds();
  };
  const decide = async (
    { chargeId }: FixturePayment,
    decision: 'accepted' | 'returned',
    paidFrom?: RefundSource,
  ) => {
    const actor = await actorOf(chargeId);
    const [{ id }] = await ledger.rows(
      "select id from reviews where charge_id = $1 and status = 'open'",
      chargeId,
    );
    await ledger.inTx((tx) =>
      acceptOrReturnReview(tx, actor, { id, decision, paidFrom, note: null }),
    );
    await sendRefunds();
  };
  const ofPayment = ({ attempt, capture }: FixturePayment) => ({
    connectionId: attempt.connection_id,
    providerPaymentId: capture.providerPaymentId,
  });
  const listRefund = (payment: FixturePayment, fields: Partial<ProviderRefund>) =>
    ledger.inTx((tx) =>
      recordListedRefunds(tx, ofPayment(payment), [
        listedRefund({ providerRefundId: 'made-there', ...fields }),
      ]),
    );
  const reverse = (payment: FixturePayment) =>
    ledger.inTx((tx) => recordReversal(tx, ofPayment(payment), '{}'));
  const dispute = async (
    payment: FixturePayment,
    state: DisputeStatus,
    amountKobo: number | null = null,
  ) => {
    const { connectionId, providerPaymentId } = ofPayment(payment);
    await ledger.inTx((tx) =>
      recordDispute(tx, connectionId, {
        ...{ providerDisputeId: `dispute-of-${providerPaymentId}`, providerPaymentId },
        ...{ amountKobo, state, status: state, raw: `"${state}"` },
      }),
    );
    ledger.clock.advance(1_000);
  };

  it('1. paid, its fee stated with it, and paid out', async () => {
    await paidOut(await pay());
    await tells('P ← C 5,000; F ← P 75; B ← P 4,925', 'B 4,925, C −5,000, F 75');
  });

  it('2. the fee is stated a day later: it is posted then, and belongs to the payment’s time', async () => {
    const payment = await pay(500_000, { feeKobo: null });
    passDays(1);
    await payAgain(payment, FEE);
    await tells('P ← C 5,000; F ← P 75', 'P 4,925, C −5,000, F 75');
    const [fee] = await ledger.rows("select * from postings where type = 'fee'");
    expect(fee.occurred_at).to.deep.equal(payment.capture.capturedAt);
    expect(dayOf(fee.created_at)).to.equal(dayOf(ledger.clock()));
  });

  it('3. the fee is corrected, twice', async () => {
    const payment = await pay();
    await payAgain(payment, { feeKobo: 9_000 });
    ledger.clock.advance(1_000);
    await payAgain(payment, { feeKobo: 8_000 });
    await tells('P ← C 5,000; F ← P 75; F ← P 15; P ← F 10', 'P 4,920, C −5,000, F 80');
  });

  it('3, and more is paid under the same payment, at a greater fee', async () => {
    const payment = await pay();
    await payAgain(payment, { amountKobo: 600_000, feeKobo: 9_000 });
    await tells(
      'P ← C 5,000; F ← P 75; P ← Y 1,000; F ← P 15',
      'P 5,910, C −5,000, F 90, Y −1,000',
    );
  });

  it('4. the payer bears the fee', async () => {
    await pay(507_500, { payableKobo: 507_500 });
    await tells('P ← C 5,000', 'P 5,000, C −5,000');
  });

  it('5. paid twice, and the second payment is sent back', async () => {
    const payment = await pay();
    await payAgain(payment, second);
    await sendRefunds();
    await tells(
      'P ← C 5,000; F ← P 75; P ← Y 5,000; F ← P 75; Y ← P 5,000',
      'P 4,850, C −5,000, F 150',
    );
  });

  for (const [paidFrom, letter, end] of [
    ['provider', 'P', 'P 5,000, C −5,000'],
    ['bank', 'B', 'P 10,000, B −5,000, C −5,000'],
  ] as const)
    it(`6. as 5, but the return fails, and it is paid back from the ${paidFrom}’s account`, async () => {
      refusal = new ProviderError('refused', 'refund', 'no such account');
      const payment = await pay(500_000, NO_FEE);
      await payAgain(payment, second);
      await sendRefunds();
      await decide(payment, 'returned', paidFrom);
      await tells(`P ← C 5,000; P ← Y 5,000; Y ← ${letter} 5,000`, end);
    });

  it('6, and the provider takes back the whole of what it holds: it is gone twice', async () => {
    refusal = new ProviderError('refused', 'refund', 'no such account');
    const payment = await pay(500_000, NO_FEE);
    await payAgain(payment, second);
    await sendRefunds();
    await decide(payment, 'returned', 'bank');
    const duplicate = { ...payment, capture: { ...payment.capture, ...second } };
    await reverse(duplicate);
    await reverse(duplicate);
    await tells(
      'P ← C 5,000; P ← Y 5,000; Y ← B 5,000; R ← P 5,000',
      'P 5,000, B −5,000, C −5,000, R 5,000',
    );
  });

  it('6, otherwise: its provider lists what went back from its account: that is the same', async () => {
    refusal = new ProviderError('refused', 'refund', 'no such account');
    const payment = await pay(500_000, NO_FEE);
    await payAgain(payment, second);
    await sendRefunds();
    await decide(payment, 'returned', 'provider');
    await listRefund({ ...payment, capture: { ...payment.capture, ...second } }, {});
    await tells('P ← C 5,000; P ← Y 5,000; Y ← P 5,000', 'P 5,000, C −5,000');
  });

  it('7. too little is returned, then it is paid in full', async () => {
    const payment = await pay(100_000, NO_FEE);
    await decide(payment, 'returned');
    await payAgain(payment, { ...second, amountKobo: 500_000 });
    await tells('P ← Y 1,000; Y ← P 1,000; P ← C 5,000', 'P 5,000, C −5,000');
  });

  it('7, in part: while its payer’s fee is still owed, a person is asked', async () => {
    const payment = await pay(107_500, { ...FEE, payableKobo: 507_500 });
    await listRefund(payment, { amountKobo: 100_000 });
    await tells('P ← Y 1,075; F ← P 75; Y ← P 1,000', 'F 75, Y −75');
    await decide(payment, 'returned');
    await balances('P −75, F 75');
  });

  it('7, otherwise: a payout states the fee of too little, then the rest is paid without one', async () => {
    const payment = await pay(100_000, { feeKobo: null });
    passDays(1);
    fixture.payOut([lineOf(payment, FEE)]);
    await reconcile();
    await payAgain(payment, { amountKobo: 500_000, feeKobo: null });
    await reconcile();
    await tells(
      'P ← Y 1,000; F ← P 75; B ← P 925; P ← C 4,000; Y ← C 1,000; D ← P 4,000',
      'B 925, C −5,000, F 75, D 4,000',
    );
    expect(await fixture.charge(payment)).to.include({ fee_kobo: FEE.feeKobo });
  });

  it('8. too little is accepted', async () => {
    const payment = await pay(100_000, NO_FEE);
    await decide(payment, 'accepted');
    await tells('P ← Y 1,000; Y ← C 1,000', 'P 1,000, C −1,000');
  });

  it('8, and refunded; then the rest is paid, and accepted', async () => {
    const payment = await pay(100_000, NO_FEE);
    await decide(payment, 'accepted');
    await refund(payment, 100_000);
    await payAgain(payment, { amountKobo: 500_000 });
    await decide(payment, 'accepted');
    await tells('P ← Y 1,000; Y ← C 1,000; R ← P 1,000; P ← C 4,000', 'P 4,000, C −5,000, R 1,000');
  });

  it('9. too much, and the rest is returned', async () => {
    const payment = await pay(600_000, NO_FEE);
    await decide(payment, 'returned');
    await tells('P ← C 5,000; P ← Y 1,000; Y ← P 1,000', 'P 5,000, C −5,000');
  });

  it('9, otherwise: too much, and the rest is accepted', async () => {
    const payment = await pay(600_000, NO_FEE);
    await decide(payment, 'accepted');
    await tells('P ← C 5,000; P ← Y 1,000; Y ← C 1,000', 'P 6,000, C −6,000');
  });

  for (const [decision, told, end] of [
    ['accepted', 'Y ← C 1,000', 'P 7,000, C −7,000'],
    ['returned', 'Y ← P 1,000', 'P 6,000, C −6,000'],
  ] as const)
    it(`9, twice: the rest is accepted, more comes under the same payment, and is ${decision}`, async () => {
      const payment = await pay(600_000, NO_FEE);
      await decide(payment, 'accepted');
      await payAgain(payment, { amountKobo: 700_000 });
      await decide(payment, decision);
      await tells(`P ← C 5,000; P ← Y 1,000; Y ← C 1,000; P ← Y 1,000; ${told}`, end);
    });

  it('9, in parts: its provider sent some of the rest back, and what is left is accepted', async () => {
    const payment = await pay(600_000, NO_FEE);
    await listRefund(payment, { amountKobo: 550_000 });
    await decide(payment, 'accepted');
    ledger.clock.advance(1_000);
    await listRefund(payment, { providerRefundId: 'later', amountKobo: 50_000 });
    await tells(
      'P ← C 5,000; P ← Y 1,000; R ← P 5,000; Y ← P 500; Y ← C 500; R ← P 500',
      'C −5,500, R 5,500',
    );
  });

  it('and what was posted is never changed', async () => {
    await pay();
    for (const change of [
      'update postings set amount_kobo = 1',
      'delete from postings',
      'truncate postings',
    ])
      await expectRefused(ledger.rows(change));
    await balances('P 4,925, C −5,000, F 75');
  });

  it('10. too much, part of it is lost in a dispute, and the rest is returned', async () => {
    const payment = await pay(600_000, NO_FEE);
    await dispute(payment, 'open', 200_000);
    await dispute(payment, 'lost');
    await decide(payment, 'returned');
    await tells(
      'P ← C 5,000; P ← Y 1,000; H ← P 2,000; L ← H 2,000; Y ← P 1,000',
      'P 3,000, C −5,000, L 2,000',
    );
  });

  it('10, all of it: paid twice, and the second payment, its payer’s fee too, is lost in a dispute', async () => {
    const payment = await pay(500_000, NO_FEE);
    await payAgain(payment, { ...second, amountKobo: 507_500, payableKobo: 507_500, ...FEE });
    const duplicate = { ...payment, capture: { ...payment.capture, ...second } };
    await dispute(duplicate, 'open');
    await balances('P 4,925, H 5,075, C −5,000, F 75, Y −5,075');
    await dispute(duplicate, 'lost');
    await tells(
      'P ← C 5,000; P ← Y 5,075; F ← P 75; H ← P 5,075; Y ← H 5,075',
      'P 4,925, C −5,000, F 75',
    );
  });

  it('10, more of it: refunded in part, and then more than the charge asked for is lost', async () => {
    const payment = await pay(600_000, NO_FEE);
    await listRefund(payment, { amountKobo: 100_000 });
    ledger.clock.advance(1_000);
    await dispute(payment, 'lost', 450_000);
    await tells(
      'P ← C 5,000; P ← Y 1,000; R ← P 1,000; H ← P 4,500; L ← H 4,000; Y ← H 500',
      'P 500, C −5,000, R 1,000, L 4,000, Y −500',
    );
  });

  it('11. refunded in two parts', async () => {
    const payment = await pay(500_000, NO_FEE);
    await refund(payment, 200_000);
    await refund(payment, 300_000);
    await tells('P ← C 5,000; R ← P 2,000; R ← P 3,000', 'C −5,000, R 5,000');
  });

  it('12. a completed refund comes back', async () => {
    const payment = await pay(500_000, NO_FEE);
    await listRefund(payment, { amountKobo: 200_000 });
    await listRefund(payment, { amountKobo: 200_000, state: 'failed', message: 'No account' });
    await tells('P ← C 5,000; R ← P 2,000; P ← R 2,000', 'P 5,000, C −5,000');
  });

  it('13. refunded at the provider', async () => {
    const payment = await pay(500_000, NO_FEE);
    await listRefund(payment, { amountKobo: 200_000 });
    await listRefund(payment, { amountKobo: 200_000 });
    await tells('P ← C 5,000; R ← P 2,000', 'P 3,000, C −5,000, R 2,000');
    const [{ source }] = await ledger.rows("select source from postings where type = 'refund'");
    const [{ id }] = await ledger.rows('select id from refunds');
    expect(source).to.equal(id);
  });

  it('13, but it is ours, whose answer was lost, and has not arrived', async () => {
    const payment = await pay(500_000, NO_FEE);
    refusal = new ProviderError('unknown', 'refund', 'no answer');
    await refund(payment, 200_000);
    const [{ id: refundId }] = await ledger.rows('select id from refunds');
    await listRefund(payment, { amountKobo: 200_000 });
    await listRefund(payment, { amountKobo: 200_000, refundId, state: 'processing' });
    await balances('P 5,000, C −5,000');
    await expectBooks(ledger.db);
  });

  it('14. reversed by its provider before anybody heard of it', async () => {
    const payment = await pay(500_000, { ...NO_FEE, isReversed: true });
    await reverse(payment);
    await tells('P ← C 5,000; R ← P 5,000', 'C −5,000, R 5,000');
  });

  it('15. reversed by the provider, which knows no refund', async () => {
    const payment = await pay(500_000, NO_FEE);
    await reverse(payment);
    await reverse(payment);
    await tells('P ← C 5,000; R ← P 5,000', 'C −5,000, R 5,000');
  });

  it('15, otherwise: the reversal turns out to be a dispute that was lost', async () => {
    const payment = await pay(500_000, NO_FEE);
    await reverse(payment);
    await dispute(payment, 'lost');
    await tells(
      'P ← C 5,000; R ← P 5,000; P ← R 5,000; H ← P 5,000; L ← H 5,000',
      'C −5,000, L 5,000',
    );
  });

  it('of money in another currency there is nothing in naira', async () => {
    const payment = await pay(500_000, { currency: 'USD' });
    await dispute(payment, 'open');
    await dispute(payment, 'won');
    await decide(payment, 'returned');
    await tells('', '');
  });

  it('16. a dispute is won before the payout', async () => {
    const payment = await pay(500_000, NO_FEE);
    await dispute(payment, 'open');
    await balances('H 5,000, C −5,000');
    await dispute(payment, 'won');
    await dispute(payment, 'won');
    await tells('P ← C 5,000; H ← P 5,000; P ← H 5,000', 'P 5,000, C −5,000');
  });

  it('17. paid out, then a dispute is won', async () => {
    const payment = await pay();
    await paidOut(payment);
    await dispute(payment, 'open');
    await balances('P −5,000, B 4,925, H 5,000, C −5,000, F 75');
    await dispute(payment, 'won');
    await tells(
      'P ← C 5,000; F ← P 75; B ← P 4,925; H ← P 5,000; P ← H 5,000',
      'B 4,925, C −5,000, F 75',
    );
  });

  it('18. paid out, then a dispute is lost, and the next payout is less by it', async () => {
    const payment = await pay();
    await paidOut(payment);
    await dispute(payment, 'lost');
    const others = [await pay(), await pay()];
    passDays(1);
    fixture.payOut(others, { deductionsKobo: 500_000 });
    await reconcile();
    await balances('B 9,775, C −15,000, F 225, L 5,000');
    await expectBooks(ledger.db);
  });

  it('19. no amount of the dispute is stated: it is about what was paid, and stays so', async () => {
    const payment = await pay(100_000, NO_FEE);
    await dispute(payment, 'open');
    await payAgain(payment, { amountKobo: 500_000 });
    await dispute(payment, 'lost');
    await balances('P 4,000, C −5,000, L 1,000');
    await expectBooks(ledger.db);
  });

  it('20. short, and topped up three days later', async () => {
    const payout = await paidOutAt(487_500);
    await tells('P ← C 5,000; F ← P 75; B ← P 4,875; D ← P 50', 'B 4,875, C −5,000, F 75, D 50');
    Object.assign(payout, { amountKobo: 492_500 });
    passDays(3);
    await reconcile();
    await balances('B 4,925, C −5,000, F 75');
    await expectBooks(ledger.db);
  });

  it('21. short, until a person gives the reason', async () => {
    await paidOutAt(487_500);
    const [difference] = await fixture.discrepancies();
    await close(ledger, difference!);
    await reconcile();
    await tells(
      'P ← C 5,000; F ← P 75; B ← P 4,875; D ← P 50; W ← D 50',
      'B 4,875, C −5,000, F 75, W 50',
    );
  });

  it('21, and then it is topped up: the reason is taken back', async () => {
    const payout = await paidOutAt(487_500);
    const [difference] = await fixture.discrepancies();
    await close(ledger, difference!);
    Object.assign(payout, { amountKobo: 492_500 });
    passDays(3);
    await reconcile();
    await balances('B 4,925, C −5,000, F 75');
    await expectBooks(ledger.db);
  });

  it('22. too much', async () => {
    await paidOutAt(493_500);
    await tells('P ← C 5,000; F ← P 75; B ← P 4,935; P ← D 10', 'B 4,935, C −5,000, F 75, D −10');
  });

  /** ₦5,000 less ₦75, of which this lands. */
  const paidOutAt = async (amountKobo: number) => {
    const payment = await pay();
    passDays(1);
    const payout = fixture.payOut([payment], { amountKobo });
    await reconcile();
    return payout;
  };

  it('23. it bounces, and is paid again', async () => {
    const payment = await pay();
    const payout = await paidOut(payment);
    Object.assign(payout, { state: 'failed', status: 'failed' });
    await reconcile();
    await balances('P 4,925, C −5,000, F 75');
    payoutOf(payment);
    await reconcile();
    await tells(
      'P ← C 5,000; F ← P 75; B ← P 4,925; P ← B 4,925; B ← P 4,925',
      'B 4,925, C −5,000, F 75',
    );
  });

  it('24. the merchant’s other business is in the payout', async () => {
    const payment = await pay();
    passDays(1);
    const foreign = { providerPaymentId: 'other', reference: 'shop-7', amountKobo: 600_000 };
    fixture.payOut([payment, { ...foreign, feeKobo: 0 }]);
    await reconcile();
    await balances('B 10,925, C −5,000, F 75, O −6,000');
    await expectBooks(ledger.db);
  });

  it('25. a payment in the payout is on record the next day only', async () => {
    const payment = await pay(500_000, { isRecorded: false });
    await paidOut(payment);
    await tells('B ← P 4,925', 'P −4,925, B 4,925');
    await fixture.verify(payment);
    passDays(1);
    await reconcile();
    await tells('B ← P 4,925; P ← C 5,000; F ← P 75', 'B 4,925, C −5,000, F 75');
  });

  it('25, but nobody ever finds it: a person gives the reason', async () => {
    await paidOut(await pay(500_000, { isRecorded: false }));
    const [unknown] = await fixture.discrepancies();
    await close(ledger, unknown!);
    await tells('B ← P 4,925; P ← W 4,925', 'B 4,925, W −4,925');
  });

  it('26. a settlement that cannot be read is read two days later, and belongs to its day', async () => {
    const payment = await pay();
    passDays(1);
    const landedAt = ledger.clock();
    const { providerSettlementId } = payoutOf(payment);
    fixture.unclear.set(providerSettlementId, 'its statement');
    await reconcile();
    await balances('P 4,925, C −5,000, F 75');
    passDays(2);
    fixture.unclear.clear();
    await reconcile();
    await balances('B 4,925, C −5,000, F 75');
    const [payout] = await ledger.rows("select * from postings where type = 'payout'");
    expect(dayOf(payout.occurred_at)).to.equal(dayOf(landedAt));
    expect(dayOf(payout.created_at)).to.equal(dayOf(ledger.clock()));
  });

  it('27. a payout’s lines change after it landed', async () => {
    const [payment, other] = [await pay(), await pay()];
    const payout = await paidOut(payment);
    await balances('P 4,925, B 4,925, C −10,000, F 150');
    Object.assign(payout, { lines: [lineOf(other)], amountKobo: 492_501 });
    await reconcile();
    await balances('P 4,925, B 4,925.01, C −10,000, F 150, D −0.01');
    Object.assign(payout, { lines: [lineOf(other), lineOf(payment)], amountKobo: 985_000 });
    await reconcile();
    await balances('B 9,850, C −10,000, F 150');
    await expectBooks(ledger.db);
  });

  it('30. an imported payment of last year, refunded today: nobody is told of the payment', async () => {
    const begun = new Date(ledger.clock().getTime() - 400 * DAY);
    const { verification } = paid({ reference: 'order-7', created_at: begun }, FEE) as {
      verification: Verification;
    };
    const [connection] = await ledger.rows('select * from connections');
    const past = { verification, email: 'ada@payer.example', name: 'Ada Obi', phone: null };
    const imported = () =>
      untold(ledger.inTx)((tx) => importPayments(tx, connection as StoredConnection, [past, past]));
    expect([await imported(), await imported()]).to.deep.equal([1, 0]);
    ledger.clock.advance(1_000);
    const [charge] = await ledger.rows('select * from charges');
    expect(charge).to.include({ merchant_reference: 'order-7', status: 'succeeded' });
    expect(charge.occurred_at).to.deep.equal(begun);
    expect(await ledger.rows('select type from events')).to.deep.equal([]);
    await refund({ chargeId: charge.id } as FixturePayment, 200_000);
    await tells('P ← C 5,000; F ← P 75; R ← P 2,000', 'P 2,925, C −5,000, F 75, R 2,000');
    const [opening] = await ledger.rows("select * from postings where debit = 'at_provider'");
    expect(opening).to.include({ type: 'imported' });
    expect(opening.occurred_at).to.deep.equal(begun);
  });

  it('31. an account that is connected anew: its imported payments count once', async () => {
    const { verification } = paid({ reference: 'order-8', created_at: ledger.clock() }, FEE) as {
      verification: Verification;
    };
    const past = { verification, email: 'ada@payer.example', name: 'Ada Obi', phone: null };
    const imported = (connection: unknown) =>
      untold(ledger.inTx)((tx) => importPayments(tx, connection as StoredConnection, [past]));
    const [before] = await ledger.rows('select * from connections');
    expect(await imported(before)).to.equal(1);
    await ledger.db.query('update connections set disabled_at = created_at');
    await ledger.db.query(
      `insert into connections select (json_populate_record(c, '{"id": "con_anew"}')).*
       from connections c`,
    );
    await ledger.db.query("update connections set disabled_at = null where id = 'con_anew'");
    expect(await imported({ ...before, id: 'con_anew' })).to.equal(0);
    await balances('P 4,925, C −5,000, F 75');
  });
});

describe('A bookkeeper follows the money at two connections', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);

  it('28. each has its own accounts, and the business has the sum', async () => {
    for (const [provider, fields] of [
      ['provider_a', FEE],
      ['provider_b', NO_FEE],
    ] as const) {
      const { attempt } = await openCharge(ledger, { provider });
      await recordNotice(ledger, attempt.id, paid(attempt, fields));
    }
    expect(await told('test')).to.have.members([
      'provider_a P ← C 5,000',
      'provider_a F ← P 75',
      'provider_b P ← C 5,000',
    ]);
    await expectBooks(ledger.db);
  });

  it('29. test and live money are never in one balance', async () => {
    await ledger.connectLive('provider_a');
    for (const [mode, fields] of [
      ['test', FEE],
      ['live', NO_FEE],
    ] as const) {
      const { attempt } = await openCharge(ledger, { provider: 'provider_a', mode });
      await recordNotice(ledger, attempt.id, paid(attempt, { ...fields, mode }));
    }
    expect(await told('test')).to.have.members(['provider_a P ← C 5,000', 'provider_a F ← P 75']);
    expect(await told('live')).to.deep.equal(['provider_a P ← C 5,000']);
    await expectBooks(ledger.db);
  });

  const told = async (mode: Mode) => {
    const [{ tenant_id: tenantId }] = await ledger.rows('select tenant_id from postings');
    const totals = await runningTotals(ledger.db, { tenantId, mode });
    return totals.map(
      ({ slot, debit, credit, amount_kobo: kobo }) =>
        `${slot} ${letters[debit]} ← ${letters[credit]} ${naira(kobo)}`,
    );
  };
});

async function expectRefused(change: Promise<unknown>): Promise<void> {
  const error = await change.then(
    () => new Error('nothing'),
    (refusal: Error) => refusal,
  );
  expect(error.message).to.match(/a correction is another posting/);
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
const naira = (kobo: number) => (kobo / 100).toLocaleString('en').replace('-', '−');
