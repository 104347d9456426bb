import { expect } from 'chai';
import fc from 'fast-check';
import { paidInAll, returnableOf } from '../../../../domain/payments/capture/capture.ts';
import { transactionView } from '../../../../domain/payments/charge/row.ts';
import {
  type ChargeStatus,
  chargeTransitions,
} from '../../../../domain/payments/charge/transitions.ts';
import { foldFigures } from '../../../../domain/payments/figures/store.ts';
import { sentRefundStatuses } from '../../../../domain/payments/refund/transitions.ts';
import { itReadsBooks } from '../../../support/bookkeeping.ts';
import { isEnding, type Ledger, useLedger } from '../../ledger.ts';
import type { ChargeHistory } from './charge-history.ts';
import { histories, type Step } from './history-steps.ts';
import { runHistory } from './run-history.ts';

/** `HISTORIES=5000 npm test` runs more. */
const HISTORIES = Number(process.env.HISTORIES ?? 100);
const AT_ONCE = 8;

describe('A charge with a random history', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);

  it(`loses no money and sends none back twice: ${HISTORIES} histories`, async function () {
    this.timeout(30_000 + HISTORIES * 200);
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    const sampled = fc.sample(histories, { numRuns: HISTORIES, seed }).entries();
    const run = async () => {
      for (const [n, history] of sampled)
        await expectPromises(ledger, history, `SEED=${seed}, history ${n}: ${sentence(history)}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    await expectFiguresOfCharges(ledger, `SEED=${seed}`);
  });

  itReadsBooks('ends in books that', () => ledger.db);
});

function sentence(history: readonly Step[]): string {
  return history
    .map(
      ({ name, which, part, refundOutcome }) => `${name} (${which}, ${part} %, ${refundOutcome})`,
    )
    .join('; ');
}

async function expectPromises(ledger: Ledger, steps: readonly Step[], name: string): Promise<void> {
  const history = await runHistory(ledger, steps).catch((error: Error) => {
    throw new Error(`${name}: ${error.stack}`);
  });
  const records = await recordsOf(ledger, history.chargeId);
  expectSoundCharge(records, name);
  expectLegalMoves(records.moves, records.charge.status, name);
  expectOneSuccess(history, records, name);
  expectNoCaptureLost(history, records, name);
  expectNoRefundTwice(history, records, name);
  expectRefundEvents(records, name);
  expectReturnsOnRecord(history, records, name);
}

async function recordsOf(ledger: Ledger, chargeId: string) {
  const rowsOf = (table: string) =>
    ledger.rows(`select * from ${table} where charge_id = $1`, chargeId);
  const moves = await ledger.rows(
    `select what from timeline_entries where charge_id = $1 and what like 'charge.%'
     order by position`,
    chargeId,
  );
  return {
    charge: await ledger.charge(chargeId),
    captures: await rowsOf('captures'),
    refunds: await rowsOf('refunds'),
    reviews: await rowsOf('reviews'),
    disputes: await rowsOf('disputes'),
    events: await ledger.rows(
      `select type, subject_id from events where subject_id = $1
       or subject_id in (select id from refunds where charge_id = $1)`,
      chargeId,
    ),
    moves: moves.map(({ what }) => what.slice('charge.'.length)),
  };
}

async function expectFiguresOfCharges(ledger: Ledger, name: string): Promise<void> {
  while ((await foldFigures(ledger.db)) > 0);
  const counted = await ledger.rows(
    `select slot, sum(succeeded) as succeeded, sum(failed) as failed,
       sum(collected_kobo) as collected, sum(fee_kobo) as fee, sum(refunded_kobo) as refunded
     from daily_figures group by slot
     having sum(succeeded) <> 0 or sum(failed) <> 0 order by slot`,
  );
  const charges = await ledger.rows(
    `select slot, count(*) filter (where status <> 'failed') as succeeded,
       count(*) filter (where status = 'failed') as failed,
       coalesce(sum(amount_kobo) filter (where status <> 'failed'), 0) as collected,
       coalesce(sum(fee_kobo) filter (where status <> 'failed'), 0) as fee,
       coalesce(sum(refunded_kobo) filter (where status <> 'failed'), 0) as refunded
     from charges where status not in ('initiated', 'pending') group by slot order by slot`,
  );
  const numbers = (rows: Record<string, unknown>[]) =>
    rows.map(({ slot, ...sums }) => [slot, ...Object.values(sums).map(Number)]);
  expect(numbers(counted), name).to.deep.equal(numbers(charges));
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** A charge whose payment was reversed before anybody heard of it says nothing of a success. */
function expectOneSuccess(
  { providers }: ChargeHistory,
  { charge, captures, events }: Records,
  name: string,
): void {
  const applied = captures.filter(({ status }) => status === 'applied');
  const [own] = applied;
  const isReversed =
    own && providers.get(own.connection_id)!.statedReversed.has(own.provider_payment_id);
  expect(applied.length, `at most one capture is applied: ${name}`).to.be.at.most(1);
  const succeeded = events.filter(
    ({ type, subject_id }) => type === 'charge.succeeded' && subject_id === charge.id,
  );
  expect(succeeded.length, `one charge.succeeded for an applied capture: ${name}`).to.be.within(
    isReversed ? 0 : applied.length,
    applied.length,
  );
  expect(
    ['initiated', 'pending', 'failed'].includes(charge.status),
    `a charge with an applied capture is paid: ${name}`,
  ).to.equal(applied.length === 0);
}

function expectNoCaptureLost(
  { answers }: ChargeHistory,
  { captures, reviews, refunds }: Records,
  name: string,
): void {
  for (const { providerPaymentId, amountKobo } of answers.flatMap(
    ({ verification }) => verification.captures,
  )) {
    const capture = captures.find((row) => row.provider_payment_id === providerPaymentId);
    expect(capture?.amount_kobo, `${providerPaymentId} is on record: ${name}`).to.be.at.least(
      amountKobo,
    );
  }
  for (const { id, status } of captures.filter(({ status }) => status !== 'applied')) {
    const isReviewed = reviews.some((review) => review.capture_id === id);
    const isRefunded = refunds.some(
      (refund) => refund.capture_id === id && refund.status !== 'failed',
    );
    expect(isReviewed || isRefunded, `${id} (${status}) is reviewed or refunded: ${name}`).to.equal(
      true,
    );
  }
}

function expectNoRefundTwice(
  { providers }: ChargeHistory,
  { captures, refunds }: Records,
  name: string,
): void {
  for (const [connectionId, provider] of providers) {
    expect(provider.overdrawn, `no refund exceeds what is left: ${name}`).to.deep.equal([]);
    const ours = provider.refunds.flatMap(({ refundId }) => refundId ?? []);
    expect(new Set(ours).size, `no refund is paid twice: ${name}`).to.equal(ours.length);
    for (const { id, paymentId, amountKobo, state } of provider.refunds) {
      const isKnown = captures.some((capture) => capture.provider_payment_id === paymentId);
      if (!isKnown || state === 'failed') continue;
      const row = refunds.find(
        (refund) => refund.connection_id === connectionId && refund.provider_refund_id === id,
      );
      const expected = { amount_kobo: amountKobo, status: state };
      expect(row, `${id} is on record: ${name}`).to.include(expected);
    }
  }
  for (const { id, amount_kobo: amountKobo, payer_fee_kobo: payerFeeKobo } of captures) {
    const paidKobo = amountKobo + payerFeeKobo;
    const refundedKobo = refunds
      .filter((row) => row.capture_id === id && row.accepted_at !== null && row.status !== 'failed')
      .reduce((total, { amount_kobo }) => total + amount_kobo, 0);
    expect(refundedKobo, `no more goes back than was paid: ${name}`).to.be.at.most(paidKobo);
  }
}

/**
 * What left by refunds, disputes and reversals is on record, and is never more than came in, unless
 * a person is asked about a dispute.
 */
function expectReturnsOnRecord(
  { providers }: ChargeHistory,
  { captures, refunds, disputes, reviews }: Records,
  name: string,
): void {
  for (const capture of captures) {
    const { id, connection_id: connectionId, provider_payment_id: paymentId } = capture;
    const isOf = (row: { capture_id: string }) => row.capture_id === id;
    const sums = [
      ...refunds.filter(isOf).filter(({ status }) => sentOrCompleted.has(status)),
      ...disputes.filter(isOf).filter(({ status }) => status === 'lost'),
    ];
    const sumOf = (rows: typeof sums) =>
      rows.reduce((total, { amount_kobo: kobo }) => total + kobo, 0);
    const returnedKobo = sumOf(sums);
    // What the business's own bank paid, its provider may send back all the same.
    // One that may never have arrived is left to a person, who sees what else went back meanwhile.
    const certainKobo = sumOf(
      sums.filter(({ status, paid_from: from }) => status !== 'unresolved' && from !== 'bank'),
    );
    const payment = { amountKobo: capture.amount_kobo, payerFeeKobo: capture.payer_fee_kobo };
    const paidKobo = returnableOf(payment, capture.status === 'applied');
    const isAsked = reviews.some(({ reason }) => reason === 'dispute');
    if (!isAsked)
      expect(certainKobo, `went back at most: ${name}`).to.be.at.most(paidInAll(payment));
    if (providers.get(connectionId)!.isReversed(paymentId))
      expect(returnedKobo, `${paymentId} went back: ${name}`).to.be.at.least(paidKobo);
  }
}

const sentOrCompleted = new Set<string>([...sentRefundStatuses, 'completed']);

function expectRefundEvents({ charge, refunds, events }: Records, name: string): void {
  for (const { id, status, origin, capture_id: captureId, approved_at: approvedAt } of refunds) {
    expect(
      ['sending', 'unconfirmed'],
      `a refund that may never have arrived is left to a person: ${name}`,
    ).to.not.include(status);
    const published = events.filter(({ subject_id }) => subject_id === id).map(({ type }) => type);
    const isCharges = captureId === charge.capture_id;
    if (origin === 'provider' && status === 'completed' && !isCharges) {
      expect(published, `of money that is not the charge's: ${name}`).to.deep.equal([]);
      continue;
    }
    if (origin === 'provider' && status === 'cancelled') continue; // recorded twice
    const steps = published.filter((type) => !isEnding(type)).sort();
    expect(steps, `each step of a person has its event: ${name}`).to.deep.equal(
      origin === 'merchant' ? [...(approvedAt ? ['refund.approved'] : []), 'refund.requested'] : [],
    );
    const ended = ['completed', 'failed'].includes(status) && origin !== 'system';
    expect(
      published.filter(isEnding).at(-1),
      `a refund that ended has its event: ${name}`,
    ).to.equal(ended ? `refund.${status}` : undefined);
  }
}

/** The applied capture may be less than was asked where a person accepted it. */
function expectSoundCharge({ charge, captures }: Records, name: string): void {
  const paidKobo = captures.find(({ status }) => status === 'applied')?.amount_kobo;
  const { amount_kobo, fee_kobo, net_kobo, refunded_kobo } = transactionView(charge);
  expect(refunded_kobo, name).to.be.within(0, amount_kobo);
  expect(net_kobo, name).to.equal(amount_kobo - fee_kobo);
  if (charge.status === 'refunded')
    expect(refunded_kobo, `refunded in full: ${name}`).to.be.at.least(
      Math.min(amount_kobo, paidKobo!),
    );
}

function expectLegalMoves(moves: string[], end: ChargeStatus, name: string): void {
  let status: ChargeStatus = 'initiated';
  for (const next of moves.filter((move): move is ChargeStatus =>
    Object.hasOwn(chargeTransitions, move),
  )) {
    expect(Object.values(chargeTransitions[status]), `${status} → ${next}: ${name}`).to.include(
      next,
    );
    status = next;
  }
  expect(end, `the row has the status of the last move: ${name}`).to.equal(status);
}
