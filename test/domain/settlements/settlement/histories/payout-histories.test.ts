import { expect } from 'chai';
import fc from 'fast-check';
import { itReadsBooks } from '../../../../support/bookkeeping.ts';
import { expectBooks } from '../../../../support/books.ts';
import { DAY } from '../../../../support/clock.ts';
import { type Ledger, useLedger } from '../../../ledger.ts';
import type { Payout } from '../fixture.ts';
import { changesSince, noChanges, rowsOf } from '../table-rows.ts';
import { type HistoryEvent, histories } from './history-events.ts';
import {
  accountFor,
  type Choices,
  dayOf,
  type Expected,
  feeOf,
  forecastsOf,
  leftOf,
  payday,
  waitingOf,
} from './model.ts';
import { runHistory, sum, type World } from './run-history.ts';
import { expectOthersRead, settledUnpaid } from './unreadable.ts';

/** More with HISTORIES=2000 npm test. */
const HISTORIES = Number(process.env.HISTORIES ?? 15);

describe('Whatever happens to the money of a connection', () => {
  const ledger = useLedger();

  it(`is explained to the kobo, payout by payout and overall, in ${HISTORIES} histories`, async function () {
    this.timeout(30_000 + HISTORIES * 1_000);
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    await fc.assert(
      fc.asyncProperty(histories, (history) => expectExplained(ledger, history)),
      { seed, numRuns: HISTORIES },
    );
  });

  itReadsBooks('ends in books that', () => ledger.db);
});

async function expectExplained(ledger: Ledger, history: readonly HistoryEvent[]): Promise<void> {
  const world = await runHistory(ledger, history);
  await world.reconcileReadable();
  await expectOthersRead(world);
  await world.reconcileAll();
  await expectBooks(ledger.db);
  expect(await settledUnpaid(world), 'no unpaid charge is settled').to.deep.equal([]);
  const settlements = await world.fixture.settlements();
  const paidOut = settlements.filter(({ status }) => ['landed', 'short'].includes(status));
  const choices = await choicesOf(world, paidOut);
  const { discrepancies } = world.fixture;
  const open = [...(await discrepancies()), ...(await discrepancies('closed'))];
  const today = dayOf(ledger.clock());

  const accounts = world.payouts
    .filter((payout) => isPaidOut(payout, paidOut))
    .map((payout) => ({ payout, ...accountFor(payout, world, choices) }));
  for (const { payout, expectedKobo, landedKobo, discrepancies } of accounts) {
    const settlement = paidOut.find(
      ({ provider_settlement_id: name }) => name === payout.providerSettlementId,
    );
    const its = open.filter(({ settlement_id: id }) => id === settlement.id);
    expect(settlement, payout.providerSettlementId).to.include({
      expected_amount_kobo: expectedKobo,
      landed_amount_kobo: landedKobo,
    });
    expect(
      sum(its.map(({ difference_kobo }) => difference_kobo)),
      'a payout is explained',
    ).to.equal(expectedKobo - landedKobo);
    expect(inOrder(its.map((row) => named(row, payout))), 'its discrepancies').to.deep.equal(
      inOrder(discrepancies),
    );
    expect(settlement.status).to.equal(landedKobo < expectedKobo ? 'short' : 'landed');
  }
  expect(
    settlements
      .filter(({ status }) => status === 'expected')
      .every(({ step }) => step === 'forecast'),
  ).to.equal(true);

  const late = new Date(Date.parse(today) - 2 * DAY).toISOString().slice(0, 10);
  const missing = waitingOf(world, choices).filter(({ at }) => payday(at) < late);
  const others = open
    .filter(({ settlement_id: id }) => id === null)
    .map(({ kind, subject, difference_kobo }): Expected => [kind, subject, difference_kobo]);
  const captures = await ledger.rows('select id, provider_payment_id from captures');
  const captureOf = (id: string) =>
    captures.find(({ provider_payment_id }) => provider_payment_id === id).id;
  const expected = missing.map(
    (payment): Expected => [
      'missing',
      captureOf(payment.id),
      payment.amountKobo - feeOf(payment, choices),
    ],
  );
  expect(inOrder(others), 'what is missing').to.deep.equal(inOrder(expected));

  const forecasted = forecastsOf(world, choices, today);
  const forecasts = settlements.filter(
    ({ step, transaction_count }) => step === 'forecast' && transaction_count > 0,
  );
  const rows = forecasts.map((row) => [
    row.expected_date,
    row.gross_kobo,
    row.fee_kobo,
    row.refunds_kobo + row.chargebacks_kobo,
    row.transaction_count,
  ]);
  expect(rows.sort(), 'forecasts').to.deep.equal(forecasted);

  const counted = world.payments.filter(
    (payment) =>
      (choices.holder.has(payment.id) && payment.isRecorded) ||
      waitingOf(world, choices).includes(payment),
  );
  const backKobo = sum(world.gone.map(({ id }) => choices.deducted.get(id) ?? 0));
  const onTheWay = forecasted.filter(([day]) => day >= late);
  const restKobo = sum(onTheWay.map(([, grossKobo, feeKobo]) => grossKobo - feeKobo));
  const ownKobo =
    sum(counted.map((payment) => payment.amountKobo - feeOf(payment, choices))) - backKobo;
  const foreignKobo = sum(accounts.map((account) => account.foreignKobo));
  const landedKobo = sum(accounts.map((account) => account.landedKobo));
  const explainedKobo = sum(open.map(({ difference_kobo }) => difference_kobo));
  expect(ownKobo + foreignKobo - landedKobo - restKobo, 'the connection is explained').to.equal(
    explainedKobo,
  );

  const events = await ledger.rows(
    `select subject_id from events where type = 'settlement.landed' order by 1`,
  );
  const published = events.map(({ subject_id }) => subject_id);
  const mayFailAfterLanding = history.some(
    (event) => event.what === 'correct' && event.how === 'fail',
  );
  const landedOnce = mayFailAfterLanding
    ? [...new Set(published)].filter((id) => paidOut.some((settlement) => settlement.id === id))
    : published;
  expect(landedOnce, 'one event each, except for what failed after it landed').to.deep.equal(
    paidOut.map(({ id }) => id).sort(),
  );
  const before = await rowsOf(ledger);
  await world.reconcileAll();
  expect(await changesSince(before, ledger), 'again, noChanges changes').to.deep.equal(noChanges);
}

function isPaidOut(
  { providerSettlementId, state }: Payout,
  paidOut: { provider_settlement_id: string }[],
): boolean {
  const isWritten = paidOut.some(
    ({ provider_settlement_id: name }) => name === providerSettlementId,
  );
  expect(isWritten, `${providerSettlementId} is ${state}`).to.equal(state === 'landed');
  return isWritten;
}

/**
 * Reads what the rules chose and checks that they may: no settlement has a payment it does not hold,
 * and no refund or chargeback is deducted twice, or left where it would explain something.
 */
async function choicesOf({ ledger, payouts, gone, payments }: World, paidOut: any[]) {
  const choices: Choices = {
    holder: new Map(),
    deducted: new Map(),
    known: new Map(),
    fee: new Map(),
  };
  const nameOf = (id: string) =>
    paidOut.find((settlement) => settlement.id === id)?.provider_settlement_id;
  for (const row of await ledger.rows(
    'select provider_payment_id as id, settlement_id, fee_kobo from captures',
  )) {
    choices.fee.set(row.id, row.fee_kobo);
    if (row.settlement_id) choices.holder.set(row.id, nameOf(row.settlement_id));
  }
  for (const { subject, settlement_id } of await ledger.rows(
    `select * from discrepancies where kind = 'never_notified' and status <> 'resolved'`,
  )) {
    choices.holder.set(subject, nameOf(settlement_id));
  }
  const written = payouts.filter(({ providerSettlementId }) =>
    paidOut.some((row) => row.provider_settlement_id === providerSettlementId),
  );
  const inPayouts = new Set(
    written.flatMap(({ lines }) =>
      lines
        .filter(({ reference }) => reference.startsWith('SV-'))
        .map((line) => line.providerPaymentId),
    ),
  );
  expect(
    [...choices.holder.keys()].sort(),
    'every payment in a payout is some payout’s',
  ).to.deep.equal([...inPayouts].sort());
  for (const [id, name] of choices.holder) {
    const holder = written.find(({ providerSettlementId }) => providerSettlementId === name);
    expect(
      holder?.lines.some((line) => line.providerPaymentId === id),
      `${name} holds ${id}`,
    ).to.equal(true);
  }
  for (const { id, isFeeStated, feeKobo } of payments.filter(({ isRecorded }) => isRecorded)) {
    expect(choices.fee.get(id)).to.be.oneOf(isFeeStated ? [feeKobo] : [feeKobo, null]);
  }
  for (const { id, kobo, settlement_id } of await ledger.rows(
    'select coalesce(refund_id, dispute_id) as id, settlement_id, amount_kobo as kobo from settlement_deductions',
  )) {
    choices.deducted.set(id, (choices.deducted.get(id) ?? 0) + kobo);
    choices.known.set(
      nameOf(settlement_id),
      (choices.known.get(nameOf(settlement_id)) ?? 0) + kobo,
    );
  }
  const booked = await ledger.rows(
    'select id, deducted_kobo from refunds union all select id, deducted_kobo from disputes',
  );
  for (const { id, deducted_kobo } of booked)
    expect(deducted_kobo, id).to.equal(choices.deducted.get(id) ?? 0);
  for (const one of gone)
    expect(leftOf(one, choices), 'no more is payment than went back').to.be.at.least(0);
  for (const { landedAt, deductionsKobo, providerSettlementId } of written) {
    const knownKobo = choices.known.get(providerSettlementId) ?? 0;
    if (deductionsKobo === null || landedAt === null || knownKobo === deductionsKobo) continue;
    expect(knownKobo, 'no more is known than was payment').to.be.below(deductionsKobo);
    const early = gone.filter(({ begunAt, endedAt }) =>
      [begunAt, endedAt].every((moment) => dayOf(moment) <= dayOf(landedAt)),
    );
    for (const one of early)
      expect(leftOf(one, choices), `${one.id} would explain ${providerSettlementId}`).to.equal(0);
  }
  return choices;
}

function named(
  { kind, subject, difference_kobo }: { kind: string; subject: string; difference_kobo: number },
  payout: Payout,
): Expected {
  return [kind, kind === 'never_notified' ? subject : payout.providerSettlementId, difference_kobo];
}

const inOrder = (rows: Expected[]) => rows.map((row) => JSON.stringify(row)).sort();
