import { expect } from 'chai';
import { ProviderError } from '../../../../../domain/providers/port/provider-error.ts';
import type { SettlementLine } from '../../../../../domain/providers/port/settlement.ts';
import type { Span } from '../../../../../domain/settlements/settlement/context.ts';
import { sumPlanned } from '../../../../../domain/settlements/settlement/forecast.ts';
import { reconcile } from '../../../../../domain/settlements/settlement/reconcile.ts';
import { MOST_FAILED_READS } from '../../../../../domain/settlements/settlement/schedule.ts';
import { expectBooks } from '../../../../support/books.ts';
import { DAY, HOUR } from '../../../../support/clock.ts';
import { emptyTables } from '../../../../support/emptied.ts';
import type { Ledger } from '../../../ledger.ts';
import {
  type FixturePayment,
  lineOf,
  openSettlementFixture,
  type Payout,
  type SettlementFixture,
  unclearLine,
} from '../fixture.ts';
import { close, sendBackAs } from '../with-fixture.ts';
import type { HistoryEvent, HistoryEventOf } from './history-events.ts';

export interface Payment {
  made: FixturePayment;
  id: string;
  amountKobo: number;
  feeKobo: number;
  isFeeStated: boolean;
  isRecorded: boolean;
  at: Date;
}

export interface Gone {
  id: string;
  paymentId: string;
  kobo: number;
  kind: 'refund' | 'chargeback';
  endedAt: Date;
  begunAt: Date;
}

export interface World {
  ledger: Ledger;
  fixture: SettlementFixture;
  payments: Payment[];
  gone: Gone[];
  payouts: Payout[];
  /**
   * Reads everything that can be read, however long ago, without interruption, in as many rounds as
   * it takes until the others count as unreadable.
   */
  reconcileReadable(): Promise<void>;
  reconcileAll(): Promise<void>;
}

const net = ({ amountKobo, feeKobo }: Pick<SettlementLine, 'amountKobo' | 'feeKobo'>) =>
  amountKobo - (feeKobo ?? 0);
const at = <Value>(list: readonly Value[], which: number): Value | undefined =>
  list[which % Math.max(1, list.length)];

export async function runHistory(ledger: Ledger, history: readonly HistoryEvent[]): Promise<World> {
  await emptyTables(ledger.rows);
  const fixture = await openSettlementFixture(ledger);
  const world: World = {
    ...{ ledger, fixture, payments: [], gone: [], payouts: fixture.payouts },
    ...{ reconcileReadable, reconcileAll },
  };
  let rest: Span | null = null;
  let made = 0;

  const freshSpan = (): Span => {
    const now = ledger.clock().getTime();
    return { from: new Date(now - 1_000 * DAY), to: new Date(now + 7 * DAY) };
  };
  const reconcileAgain = async () => {
    fixture.failing.clear();
    const run = await reconcile({ ...fixture.context, triesAllAgain: true }, freshSpan());
    await expectPlannedDays();
    return run;
  };
  async function expectPlannedDays() {
    await ledger.tx((tx) => sumPlanned(tx, fixture.context.account));
    const added = await ledger.rows('select * from planned_days order by connection_id, day');
    const scanned = await ledger.rows(
      `select connection_id, settles_on as day, sum(amount_kobo)::bigint as amount_kobo,
         coalesce(sum(fee_kobo), 0)::bigint as fee_kobo, count(*)::int as count
       from captures where settlement_id is null and settles_on is not null
       group by 1, 2 order by 1, 2`,
    );
    expect(added, 'planned days').to.deep.equal(scanned);
  }
  async function reconcileReadable() {
    for (let round = 1; ; round++) {
      const run = await reconcileAgain();
      if (run.isDone) return;
      if (round === MOST_FAILED_READS)
        throw new Error(`Round ${round} is not done: ${run.error?.message}`);
    }
  }
  async function reconcileAll() {
    fixture.unreadable.clear();
    fixture.unclear.clear();
    const run = await reconcileAgain();
    if (!run.isDone) throw new Error(`The last run is not done: ${run.error?.message}`);
  }
  const pay = async ({ amountKobo, feeKobo, isFeeStated, isRecorded }: HistoryEventOf<'pay'>) => {
    const at = ledger.clock();
    const statedKobo = isFeeStated ? feeKobo : null;
    const payment = await fixture.pay({ amountKobo, feeKobo: statedKobo, isRecorded });
    const id = payment.capture.providerPaymentId;
    world.payments.push({ made: payment, id, amountKobo, feeKobo, isFeeStated, isRecorded, at });
  };
  const paymentsWhere = (isRecorded: boolean) =>
    world.payments.filter((payment) => payment.isRecorded === isRecorded);
  const verify = async ({ which }: HistoryEventOf<'verify'>) => {
    const payment = at(paymentsWhere(false), which);
    if (!payment) return;
    await fixture.verify(payment.made);
    payment.isRecorded = true;
  };
  const payOut = (order: HistoryEventOf<'pay out'>) => {
    const held = new Set(
      fixture.payouts
        .filter(({ state }) => state !== 'failed')
        .flatMap(({ lines }) => lines.map((line) => line.providerPaymentId)),
    );
    const [paidOut, waiting] = [true, false].map((wanted) =>
      world.payments.filter(({ id }) => held.has(id) === wanted),
    ) as [Payment[], Payment[]];
    const chosen = [
      ...waiting.filter((_, n) => !((order.leaveOut >> (n % 8)) & 1)),
      ...paidOut.filter((_, n) => n < 4 && (order.again >> n) & 1),
    ];
    const lines = chosen.map((payment, n) =>
      faultyLine(payment, at(order.faults, n)!, order.faultKobo),
    );
    const others = (count: number, line: (n: number) => SettlementLine) =>
      Array.from({ length: count }, () => line(++made));
    lines.push(
      ...others(order.foreign, (n) => ({
        ...{ providerPaymentId: `foreign-${n}`, reference: `ORDER-${n}` },
        ...{ amountKobo: 90_000 + n, feeKobo: 1_350 },
        ...(order.unclear === 'a foreign line' && unclearLine),
      })),
      ...others(order.unknownPayments, (n) => ({
        ...{ providerPaymentId: `unknownPayment-${n}`, amountKobo: 80_000, feeKobo: 1_200 },
        reference: `SV-${90_000_000 + n}-zzzzzzzz`,
      })),
    );
    const takenKobo = deductionsOf(order, lines);
    const unclearKobo = lines.filter(({ unclear }) => unclear).length * 88_650;
    const landedKobo = sum(lines.map(net)) + unclearKobo - takenKobo - order.shortKobo;
    const day = ledger.clock();
    const { providerSettlementId } = fixture.payOut(lines, {
      state: order.state,
      amountKobo: order.isAmountStated ? landedKobo : null,
      deductionsKobo: order.deductions === 'not stated' ? null : takenKobo,
      dueOn: new Date(day.getTime() + HOUR).toISOString().slice(0, 10),
      landedAt: order.state === 'landed' ? day : null,
    });
    if (order.unclear === 'its lines') fixture.unreadable.add(providerSettlementId);
    if (order.unclear === 'our line' || order.unclear === 'its statement')
      fixture.unclear.set(providerSettlementId, order.unclear);
  };
  const deductionsOf = (
    { deductions, faultKobo }: HistoryEventOf<'pay out'>,
    lines: SettlementLine[],
  ) => {
    if (deductions === 'nothing' || lines.length === 0) return 0;
    const wentBack = sum(world.gone.map(({ kobo }) => kobo));
    const stated = sum(fixture.payouts.map(({ deductionsKobo }) => deductionsKobo ?? 0));
    const takenKobo = Math.max(0, Math.min(wentBack - stated, Math.max(0, ...lines.map(net))));
    return deductions === 'wrong' ? takenKobo + faultKobo : takenKobo;
  };
  const correct = ({ which, how, kobo }: HistoryEventOf<'correct'>) => {
    const payout = at(world.payouts, which);
    if (!payout) return;
    const land = () =>
      Object.assign(payout, { state: 'landed', landedAt: payout.landedAt ?? ledger.clock() });
    const change = (lines: SettlementLine[]) => {
      payout.lines = lines;
      // The statement counts as changed only if an amount changes too.
      Object.assign(payout, { amountKobo: (payout.amountKobo ?? 0) + 1 });
    };
    if (how === 'make readable') {
      fixture.unreadable.delete(payout.providerSettlementId);
      fixture.unclear.delete(payout.providerSettlementId);
    }
    if (how === 'land') land();
    if (how === 'fail') Object.assign(payout, { state: 'failed', landedAt: null });
    if (payout.state !== 'landed') return;
    if (how === 'top up' && payout.amountKobo !== null) payout.amountKobo += kobo;
    if (how === 'take back' && payout.amountKobo !== null) payout.amountKobo -= kobo;
    if (how === 'other deductions') payout.deductionsKobo = kobo;
    if (how === 'drop a line' && payout.lines.length > 1) change(payout.lines.slice(1));
    const other = at(
      world.payments.filter(
        ({ id }) => !payout.lines.some((line) => line.providerPaymentId === id),
      ),
      which,
    );
    if (how === 'swap a line' && other && payout.lines.length > 0)
      change([...payout.lines.slice(1), lineOf(other.made)]);
  };
  const sendBack = async (event: HistoryEventOf<'refund' | 'lose a dispute'>) => {
    const { what, which, part, isOurs } = event;
    const payment = at(paymentsWhere(true), which);
    if (!payment) return;
    const gone = world.gone.filter(({ paymentId }) => paymentId === payment.id);
    const left = payment.amountKobo - sum(gone.map(({ kobo }) => kobo));
    const kobo = Math.floor((left * part) / 100);
    if (kobo <= 0) return;
    const [id, now] = [`gone_${String(++made).padStart(6, '0')}`, ledger.clock()];
    const kind = what === 'refund' ? 'refund' : 'chargeback';
    await sendBackAs(id, ledger, payment.made, kobo, kind, isOurs ? 'merchant' : 'provider');
    const begunAt = kind === 'refund' && isOurs ? now : payment.at;
    world.gone.push({ id, paymentId: payment.id, kobo, kind, endedAt: now, begunAt });
  };
  const correctFee = async ({ which, feeKobo }: HistoryEventOf<'correct a fee'>) => {
    const payment = at(paymentsWhere(true), which);
    if (!payment) return;
    Object.assign(payment, { feeKobo, isFeeStated: true });
    Object.assign(payment.made.capture, { feeKobo });
    await fixture.verify(payment.made);
  };
  const giveReason = async ({ which }: HistoryEventOf<'give a reason'>) => {
    const open = await fixture.discrepancies();
    const difference = at(
      open.filter(({ difference_kobo: kobo, settlement_id: id }) => kobo !== 0 && id !== null),
      which,
    );
    if (difference) await close(ledger, difference);
  };
  const run = async ({ interruption, after }: HistoryEventOf<'reconcile'>) => {
    let left = after;
    const context =
      interruption === 'cut' ? { ...fixture.context, hasTime: () => left-- > 0 } : fixture.context;
    const away = new ProviderError('unavailable', 'test', 'away');
    if (interruption === 'lines unavailable') fixture.failing.set('listLines', away);
    if (interruption === 'list unavailable') fixture.failing.set('listSettlements', away);
    if (interruption === 'lines unreadable')
      fixture.failing.set('listLines', new ProviderError('unknown', 'test', 'unreadable'));
    const run = await reconcile(context, rest ?? freshSpan());
    fixture.failing.clear();
    await expectPlannedDays();
    rest = run.rest;
  };

  for (const event of history) {
    if (event.what === 'pay') await pay(event);
    if (event.what === 'verify') await verify(event);
    if (event.what === 'pay out') payOut(event);
    if (event.what === 'correct') correct(event);
    if (event.what === 'refund' || event.what === 'lose a dispute') await sendBack(event);
    if (event.what === 'correct a fee') await correctFee(event);
    if (event.what === 'give a reason') await giveReason(event);
    if (event.what === 'reconcile') await run(event);
    if (event.what === 'wait') ledger.clock.advance(event.days * DAY);
    await expectBooks(ledger.db, { when: `after "${event.what}"` });
  }
  return world;
}

function faultyLine(
  { made, amountKobo, feeKobo, isFeeStated }: Payment,
  fault: string,
  kobo: number,
): SettlementLine {
  const line = lineOf(made, { feeKobo });
  if (fault === 'no fee') return { ...line, feeKobo: null };
  if (!isFeeStated) return line;
  if (fault === 'amount') return { ...line, amountKobo: amountKobo - kobo };
  if (fault === 'fee') return { ...line, feeKobo: feeKobo + kobo };
  if (fault === 'payer bore it')
    return { ...line, amountKobo: amountKobo + kobo, feeKobo: feeKobo + kobo };
  if (fault === 'both') return { ...line, amountKobo: amountKobo + kobo, feeKobo: feeKobo + 77 };
  return line;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
