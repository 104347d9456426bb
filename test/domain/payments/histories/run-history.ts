import { expect } from 'chai';
import { checkAttemptsNow } from '../../../../domain/payments/attempt/check-attempts-now.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { openAttempt } from '../../../../domain/payments/attempt/store.ts';
import { acceptOrReturnReview } from '../../../../domain/payments/commands/accept-or-return-review.ts';
import { approveRefund } from '../../../../domain/payments/commands/approve-or-reject-refund.ts';
import { requestCancel } from '../../../../domain/payments/commands/cancel-charge.ts';
import { requestRefund } from '../../../../domain/payments/commands/request-refund.ts';
import { retryPayment } from '../../../../domain/payments/commands/retry-payment.ts';
import { advanceCharge } from '../../../../domain/payments/facts/advance-charge.ts';
import { askAboutAttempt } from '../../../../domain/payments/facts/ask-about-attempt.ts';
import { askDisputes } from '../../../../domain/payments/facts/ask-about-disputes.ts';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { recordAttempt } from '../../../../domain/payments/facts/record-attempt.ts';
import type { RefundSource } from '../../../../domain/payments/refund/row.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { Problem } from '../../../../domain/shared/problems.ts';
import { forgottenRows } from '../../../../scripts/audit/forgotten-rows.ts';
import { checkCharge } from '../../../../workers/charge-check.ts';
import { checkRefund } from '../../../../workers/refund-check.ts';
import { executeRefund } from '../../../../workers/refund-execute.ts';
import { runJob } from '../../../../workers/run-job.ts';
import { expectBooks, expectRefunds } from '../../../support/books.ts';
import { DAY, HOUR, MINUTE } from '../../../support/clock.ts';
import type { Ledger } from '../../ledger.ts';
import { acceptAttempt, type ChargeHistory, openHistory, providerOf } from './charge-history.ts';
import type { Step, StepName } from './history-steps.ts';

const AMOUNT_KOBO = 500_000;
const MAX_ATTEMPTS = 4;

export async function runHistory(ledger: Ledger, steps: readonly Step[]): Promise<ChargeHistory> {
  const history = await openHistory(ledger, steps.length % 2 === 1);
  for (const step of steps) {
    await runners[step.name](history, step);
    const { db } = history.ledger;
    const forgotten = await forgottenRows(db, history.clock(), history.chargeId);
    expect(forgotten, `due after "${step.name}"`).to.deep.equal([]);
    const { chargeId } = history;
    await expectBooks(db, { chargeId, when: `after "${step.name}"` });
    await expectRefunds(db, chargeId);
  }
  await auditPayments(history);
  await finish(history);
  return history;
}

const runners: Record<StepName, (history: ChargeHistory, step: Step) => Promise<unknown>> = {
  async pay(history, { which, part }) {
    const attempt = await attemptAt(history, which);
    providerOf(history, attempt).pay(attempt.reference, partOf(part));
  },
  async verify(history, { which, part }) {
    await verify(history, await attemptAt(history, which), part > 100);
  },
  async 'record an old answer'({ answers, tx }, { which }) {
    const old = answers[which % answers.length];
    if (old) await tx((each) => recordAttempt(each, old.attemptId, { type: 'verified', ...old }));
  },
  async decline(history, { which }) {
    const attempt = await attemptAt(history, which);
    providerOf(history, attempt).decline(attempt.reference);
  },
  'open another attempt': openAnotherAttempt,
  'try again': tryAgain,
  settle({ tx, chargeId, clock }) {
    const settlement = { settledAt: clock(), settlementId: 'stl_1', feeKobo: 5_000 };
    return tx((each) => advanceCharge(each, chargeId, { type: 'settled', ...settlement }));
  },
  async expire(history) {
    history.clock.advance(25 * HOUR);
    await verifyAll(history, false);
    await history.tx((each) => expireWhenAnswered(each, history.chargeId));
  },
  cancel: ({ tx, actor, chargeId }) =>
    tx((each) => requestCancel(each, actor, chargeId)).catch(ignoreProblem),
  async wait({ clock }, { part }) {
    clock.advance(part * MINUTE);
  },
  'request a refund': (history, { part }) => refund(history, partOf(part)),
  async 'refund at the provider'(history, { which, part }) {
    const paid = paymentAt(history, which);
    paid?.provider.refundInDashboard(paid.payment.id, partOf(part));
  },
  async 'choose the next refund outcome'({ providers }, { refundOutcome }) {
    for (const provider of providers.values()) provider.nextRefund = refundOutcome;
  },
  async 'run refund jobs'(history, { part }) {
    history.clock.advance(part * 5_000);
    await runRefundJobs(history);
  },
  'accept a review': (history, { which }) => decideReview(history, which, 'accepted'),
  'return a review': (history, { which }) => decideReview(history, which, 'returned'),
  'return a review outside': (history, { which }) =>
    decideReview(history, which, 'returned', 'bank'),
  async 'correct a fee'(history, { which, part }) {
    const paid = paymentAt(history, which);
    paid?.provider.correctFee(paid.payment.id, part > 100 ? null : part * 100);
  },
  'open a dispute': async (history, step) => dispute(history, step, 'open'),
  'win a dispute': async (history, step) => dispute(history, step, 'won'),
  'lose a dispute': async (history, step) => dispute(history, step, 'lost'),
  'list disputes': listDisputes,
  async 'reverse at the provider'(history, { which }) {
    const paid = paymentAt(history, which);
    paid?.provider.reverse(paid.payment.id);
  },
  async 'pay more under a payment'(history, { which, part }) {
    const paid = paymentAt(history, which);
    paid?.provider.topUp(paid.payment.id, partOf(part));
  },
  async 'limit the provider'(history, { which, part }) {
    const limited = [...history.providers.values()][which % 2]!;
    limited.limitedUntil = new Date(history.clock().getTime() + part * MINUTE);
  },
};

/**
 * With no notification and nobody reading: the payments that the providers list have their attempts
 * checked, as the nightly audit does, and all of them are on record after the checks that are due.
 */
async function auditPayments(history: ChargeHistory): Promise<void> {
  const { ledger, chargeId, providers, tx, clock, context } = history;
  for (const provider of providers.values()) provider.limitedUntil = null;
  for (const [connectionId, { payments }] of providers) {
    const references = payments.map(({ reference }) => reference);
    await tx((each) => checkAttemptsNow(each, { connectionId, references, chargeIds: [chargeId] }));
  }
  const due = await ledger.rows(
    'select id from attempts where charge_id = $1 and due_at <= $2 order by id',
    chargeId,
    clock(),
  );
  for (const job of due) await runJob(context, checkCharge as never, job);
  const captures = await ledger.rows(
    'select provider_payment_id as id from captures where charge_id = $1',
    chargeId,
  );
  const paid = [...providers.values()].flatMap(({ payments }) => payments.map(({ id }) => id));
  expect(captures.map(({ id }) => id)).to.have.members(paid);
}

async function finish(history: ChargeHistory): Promise<void> {
  for (let day = 0; day < 4; day++) {
    for (const provider of history.providers.values()) {
      provider.nextRefund = 'accepted';
      provider.finish();
    }
    await verifyAll(history, true);
    await listDisputes(history);
    await runRefundJobs(history);
    history.clock.advance(DAY);
    await runRefundJobs(history);
  }
}

function partOf(percent: number): number {
  return Math.floor((AMOUNT_KOBO * percent) / 100);
}

async function attemptAt({ ledger, chargeId }: ChargeHistory, which: number): Promise<AttemptRow> {
  const attempts = await ledger.attempts(chargeId);
  return attempts[which % attempts.length]!;
}

function paymentAt({ providers }: ChargeHistory, which: number) {
  const paid = [...providers.values()].flatMap((provider) =>
    provider.payments.map((payment) => ({ provider, payment })),
  );
  return paid.length === 0 ? undefined : paid[which % paid.length]!;
}

async function openAnotherAttempt(history: ChargeHistory, { which }: Step): Promise<void> {
  const { ledger, clock, chargeId, chargeNumber, tx } = history;
  if ((await ledger.attempts(chargeId)).length >= MAX_ATTEMPTS) return;
  const connectionId = ledger.connections[which % 2]!;
  const at = { connectionId, slot: which % 2 ? 'provider_b' : 'provider_a', dueAt: clock() };
  await tx((each) => openAttempt(each, { id: chargeId, number: chargeNumber }, at));
  await acceptAttempt(history, (await ledger.attempts(chargeId)).at(-1)!.id);
}

async function tryAgain(history: ChargeHistory): Promise<void> {
  const { ledger, chargeId, tx } = history;
  await tx((each) => retryPayment(each, chargeId));
  const next = (await ledger.attempts(chargeId)).at(-1)!;
  if (next.status === 'queued') await acceptAttempt(history, next.id);
}

const soon = { callMs: 1, verificationMs: 1, totalMs: 1 };

async function verify(history: ChargeHistory, attempt: AttemptRow, withRefunds: boolean) {
  const { answers, clock, context } = history;
  const provider = providerOf(history, attempt);
  const verification = await provider.verify(attempt.reference).catch(onlyLimited);
  if (verification) answers.push({ attemptId: attempt.id, verification, askedAt: clock() });
  await askAboutAttempt({ ...context, provider, clock }, attempt, soon, { withRefunds });
}

async function verifyAll(history: ChargeHistory, withRefunds: boolean): Promise<void> {
  for (const attempt of await history.ledger.attempts(history.chargeId))
    await verify(history, attempt, withRefunds);
}

function onlyLimited(error: unknown): undefined {
  if (!(error instanceof ProviderError && error.kind === 'limited')) throw error;
}

async function listDisputes({ providers, context }: ChargeHistory): Promise<void> {
  for (const [connectionId, provider] of providers) {
    for (const { id, reference, at } of provider.payments) {
      const payment = { providerPaymentId: id, reference, capturedAt: at };
      await askDisputes({ inTx: context.inTx, provider, connectionId }, payment, { timeoutMs: 1 });
    }
  }
}

/** The whole payment, without a stated amount, or a part of it. */
function dispute(history: ChargeHistory, { which, part }: Step, state: 'open' | 'won' | 'lost') {
  const paid = paymentAt(history, which);
  paid?.provider.dispute(paid.payment.id, state, part >= 100 ? null : partOf(part));
}

async function refund(history: ChargeHistory, amountKobo: number): Promise<void> {
  const { tx, actor, chargeNumber } = history;
  const request = { chargeNumber, amountKobo, reason: 'Wrong size' };
  await tx(async (each) => {
    const { id } = await requestRefund(each, actor, request);
    return approveRefund(each, actor, id);
  }).catch(ignoreProblem);
}

async function runRefundJobs({ ledger, chargeId, clock, context }: ChargeHistory): Promise<void> {
  const due = await ledger.rows(
    'select id, status from refunds where charge_id = $1 and due_at <= $2',
    chargeId,
    clock(),
  );
  for (const { id, status } of due) {
    const handler = status === 'approved' ? executeRefund : checkRefund;
    await runJob(context, handler as never, { id });
  }
}

async function decideReview(
  { ledger, chargeId, tx, actor }: ChargeHistory,
  which: number,
  decision: 'accepted' | 'returned',
  paidFrom?: RefundSource,
): Promise<void> {
  const open = await ledger.rows(
    `select id, amount_kobo from reviews where charge_id = $1 and status = 'open' order by id`,
    chargeId,
  );
  if (open.length === 0) return;
  const { id, amount_kobo: saidKobo } = open[which % open.length]!;
  const before = await systemKobo();
  const isDecided = await tx((each) =>
    acceptOrReturnReview(each, actor, { id, decision, paidFrom, note: null }),
  ).then(() => true, ignoreProblem);
  const movedKobo = (await systemKobo()) - before;
  const what = `${decision} a review about ${saidKobo}`;
  if (decision === 'returned' && isDecided)
    expect(movedKobo, `${what} moves money, and no more than it said`).to.be.within(1, saidKobo);
  else expect(movedKobo, `${what} moves no money`).to.equal(0);

  async function systemKobo(): Promise<number> {
    const [sum] = await ledger.rows(
      `select coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds
       where charge_id = $1 and origin = 'system'`,
      chargeId,
    );
    return sum.kobo;
  }
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}
