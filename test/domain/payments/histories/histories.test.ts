import { expect } from 'chai';
import fc from 'fast-check';
import { type ChargeRow, transactionView } from '../../../../domain/payments/charge/row.ts';
import {
  type ChargeStatus,
  chargeTransitions,
} from '../../../../domain/payments/charge/transitions.ts';
import { type Ledger, openLedger } from '../../ledger.ts';
import { type Happening, histories, live } from './history.ts';

/** More for whoever has the time: HISTORIES=5000 npm test. */
const HISTORIES = Number(process.env.HISTORIES ?? 100);
const AT_ONCE = 8;

describe('Whatever happens to a charge', () => {
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger(['provider_a', 'provider_b']);
  });
  after(() => ledger[Symbol.asyncDispose]());

  it(`keeps what was promised about its money, in ${HISTORIES} histories`, async function () {
    this.timeout(30_000 + HISTORIES * 200);
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    const sampled = fc.sample(histories, { numRuns: HISTORIES, seed }).entries();
    const run = async () => {
      for (const [n, history] of sampled)
        await expectKept(ledger, history, `SEED=${seed}, history ${n}: ${sentence(history)}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
  });
});

function sentence(history: readonly Happening[]): string {
  return history
    .map(({ what, which, part, fate }) => `${what} (${which}, ${part} %, ${fate})`)
    .join('; ');
}

async function expectKept(
  ledger: Ledger,
  history: readonly Happening[],
  name: string,
): Promise<void> {
  const { chargeId, banks, said } = await live(ledger, history).catch((error: Error) => {
    throw new Error(`${name}: ${error.stack}`);
  });
  const charge = await ledger.charge(chargeId);
  const captures = await ledger.rows('select * from captures where charge_id = $1', chargeId);
  const refunds = await ledger.rows('select * from refunds where charge_id = $1', chargeId);
  const reviews = await ledger.rows('select * from reviews where charge_id = $1', chargeId);
  const events = await ledger.rows(
    'select type, subject_id from events where subject_id = $1 or subject_id in (select id from refunds where charge_id = $1)',
    chargeId,
  );
  const moves = await ledger.rows(
    `select what from timeline_entries where charge_id = $1 and what like 'charge.%' order by position`,
    chargeId,
  );
  const sum = (rows: { amount_kobo: number }[]) =>
    rows.reduce((total, row) => total + row.amount_kobo, 0);

  expectSoundCharge(charge, captures.find(({ status }) => status === 'applied')?.amount_kobo, name);
  expectLegalMoves(
    moves.map(({ what }) => what.slice('charge.'.length)),
    charge.status,
    name,
  );

  // One success, with one event.
  const succeeded = events.filter(
    ({ type, subject_id }) => type === 'charge.succeeded' && subject_id === chargeId,
  );
  const kept = captures.filter(({ status }) => status === 'applied');
  expect(kept.length, `at most one capture is kept: ${name}`).to.be.at.most(1);
  expect(succeeded.length, `one charge.succeeded where money was kept: ${name}`).to.equal(
    kept.length,
  );
  expect(
    ['initiated', 'pending', 'failed'].includes(charge.status),
    `paid where a capture is kept: ${name}`,
  ).to.equal(kept.length === 0);

  // No money fact is lost: what was ever said stands, with the most that was said of it.
  for (const { verification } of said) {
    for (const { providerPaymentId, amountKobo } of verification.captures) {
      const capture = captures.find((row) => row.provider_payment_id === providerPaymentId);
      expect(capture?.amount_kobo, `${providerPaymentId} is on record: ${name}`).to.be.at.least(
        amountKobo,
      );
    }
  }
  // What is not the charge's own is on its way back, has gone, or is a person's to decide.
  for (const capture of captures.filter(({ status }) => status !== 'applied')) {
    const isAsked = reviews.some((review) => review.capture_id === capture.id);
    const goesBack = refunds.some(
      (refund) => refund.capture_id === capture.id && refund.status !== 'failed',
    );
    expect(
      isAsked || goesBack,
      `${capture.id} (${capture.status}) is not forgotten: ${name}`,
    ).to.equal(true);
  }

  // Refunds: never more than was paid, none paid twice, and what the providers sent back is what we
  // say.
  for (const [connectionId, bank] of banks) {
    expect(bank.overdrawn, `more than what is left is never asked for: ${name}`).to.deep.equal([]);
    const ours = bank.refunds.flatMap(({ refundId }) => refundId ?? []);
    expect(new Set(ours).size, `no refund is paid twice: ${name}`).to.equal(ours.length);
    for (const { id, paymentId, amountKobo, state } of bank.refunds) {
      const row = refunds.find(
        (refund) => refund.connection_id === connectionId && refund.provider_refund_id === id,
      );
      const wasSaid = captures.some((capture) => capture.provider_payment_id === paymentId);
      if (wasSaid && state !== 'failed')
        expect(row, `${id} is known: ${name}`).to.include({
          amount_kobo: amountKobo,
          status: state,
        });
    }
  }
  for (const capture of captures) {
    const taken = refunds.filter(
      (row) => row.capture_id === capture.id && row.accepted_at !== null && row.status !== 'failed',
    );
    expect(sum(taken), `no more goes back than was paid: ${name}`).to.be.at.most(
      capture.amount_kobo,
    );
  }
  for (const refund of refunds) {
    const stated = events
      .filter(({ subject_id }) => subject_id === refund.id)
      .map(({ type }) => type);
    const ended = ['completed', 'failed'].includes(refund.status) && refund.origin !== 'system';
    expect(
      ['sending', 'unconfirmed'],
      `what may never have arrived is left to a person: ${name}`,
    ).to.not.include(refund.status);
    expect(stated.at(-1), `what ended has its event: ${name}`).to.equal(
      ended ? `refund.${refund.status}` : undefined,
    );
  }
}

/** `paidKobo` may be less than was asked where a person accepted it. */
function expectSoundCharge(charge: ChargeRow, paidKobo: number | undefined, name: string): void {
  const { amount_kobo, fee_kobo, net_kobo, refunded_kobo } = transactionView(charge);
  expect(refunded_kobo, name).to.be.within(0, amount_kobo);
  expect(net_kobo, name).to.equal(amount_kobo - fee_kobo);
  if (charge.status === 'refunded')
    expect(refunded_kobo, `refunded in full: ${name}`).to.be.at.least(
      Math.min(amount_kobo, paidKobo!),
    );
}

/** Every move the history shows is one of the table's. */
function expectLegalMoves(lines: string[], end: ChargeStatus, name: string): void {
  let status: ChargeStatus = 'initiated';
  for (const next of lines.filter((line): line is ChargeStatus =>
    Object.hasOwn(chargeTransitions, line),
  )) {
    expect(Object.values(chargeTransitions[status]), `${status} → ${next}: ${name}`).to.include(
      next,
    );
    status = next;
  }
  expect(end, `the row is where its history ends: ${name}`).to.equal(status);
}
