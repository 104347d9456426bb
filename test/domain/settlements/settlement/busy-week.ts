import type { Ledger } from '../../ledger.ts';
import {
  type FixturePayment,
  lineOf,
  openSettlementFixture,
  type SettlementFixture,
} from './fixture.ts';
import { sendBack } from './with-fixture.ts';

/**
 * A fixture in which a bit of everything happened since the last reconciliation run: settlements in
 * every state, with lines that differ, unknown and foreign payments, refunds.
 */
export async function busyWeek(ledger: Ledger): Promise<SettlementFixture> {
  const fixture = await openSettlementFixture(ledger);
  const day = () => ledger.clock.advance(24 * 3_600_000);
  const pay = async (count: number) => {
    const payment: FixturePayment[] = [];
    while (payment.length < count) payment.push(await fixture.pay());
    return payment;
  };
  const [a, b, c] = (await pay(3)) as [FixturePayment, FixturePayment, FixturePayment];
  const unrecorded = await fixture.pay({ isRecorded: false });
  day();
  const corrected = fixture.payOut([a, b, unrecorded]);
  const failed = fixture.payOut([c]);
  fixture.payOut([], { state: 'failed', landedAt: null });
  await fixture.reconcile();

  const [d, e] = (await pay(2)) as [FixturePayment, FixturePayment];
  await sendBack(ledger, a, 100_000);
  await sendBack(ledger, c, 500_000, 'chargeback');
  Object.assign(corrected, {
    lines: [lineOf(a, { feeKobo: 20_000 }), lineOf(unrecorded)],
    amountKobo: 900_000,
  });
  failed.state = 'failed';
  day();
  const foreign = {
    ...{ providerPaymentId: 'shop-1', reference: 'ORDER-1', amountKobo: 100_000, feeKobo: 1_500 },
  };
  const unknownPayment = {
    ...{ providerPaymentId: 'unknownPayment', reference: 'SV-900000001-zzzzzzzz' },
    ...{ amountKobo: 80_000, feeKobo: 1_200 },
  };
  fixture.payOut([d, c, foreign, unknownPayment], { deductionsKobo: 650_000 });
  fixture.payOut([unrecorded], { state: 'pending', landedAt: null });
  fixture.payOut([e], { amountKobo: null, deductionsKobo: null });
  await fixture.pay();
  ledger.clock.advance(2 * 24 * 3_600_000);
  await fixture.verify(unrecorded);
  return fixture;
}

/** Everything about a ledger's settlements that does not depend on ids. Charges go by their numbers. */
export async function stateOf(ledger: Ledger): Promise<Record<string, string[]>> {
  const [first] = await ledger.rows('select min(number) as number from charges');
  const naming = `regexp_replace($X, '^(.*/)?(pay-)?SV-(\\d{1,7})-.*$', '\\3')`;
  const name = (column: string) => `coalesce(${naming.replace('$X', column)}, '')`;
  const questions: Record<string, string> = {
    settlements: `select provider_settlement_id, status, step, expected_date, expected_amount_kobo,
      landed_amount_kobo, gross_kobo, fee_kobo, refunds_kobo, chargebacks_kobo, transaction_count,
      foreign_kobo, foreign_count, stated_state, landed_at is null as has_not_landed, lines_cursor
      from settlements`,
    lines: `select ${name('l.reference')} as line, s.provider_settlement_id, l.amount_kobo,
      l.fee_kobo, is_foreign, needs_rematch, capture_id is null as has_no_capture
      from settlement_lines l join settlements s on s.id = l.settlement_id`,
    captures: `select ${name('provider_payment_id')} as payment, k.fee_kobo, settles_on, s.provider_settlement_id from captures k
      left join settlements s on s.id = k.settlement_id`,
    discrepancies: `select d.kind, ${name('d.reference')} as line, d.amount_kobo, difference_kobo, d.status, day, s.provider_settlement_id from discrepancies d
      left join settlements s on s.id = d.settlement_id where d.status <> 'resolved'`,
    deductions: `select s.provider_settlement_id, amount_kobo, refund_id is null as chargeback from settlement_deductions x
      join settlements s on s.id = x.settlement_id`,
    owed: `select amount_kobo, deducted_kobo from refunds union all select amount_kobo, deducted_kobo from disputes`,
    charges: `select number, c.status, c.fee_kobo, settled_at is null as unsettled, s.provider_settlement_id from charges c
      left join settlements s on s.id = c.settlement_id`,
    events: `select type, s.provider_settlement_id from events e left join settlements s on s.id = e.subject_id`,
    timeline: `select what, c.number from timeline_entries t join charges c on c.id = t.charge_id`,
  };
  const state: Record<string, string[]> = {};
  for (const [what, question] of Object.entries(questions)) {
    const rows = await ledger.rows<Record<string, unknown>>(question);
    state[what] = rows.map((row) => JSON.stringify(relative(row, first.number))).sort();
  }
  return state;
}

function relative(row: Record<string, unknown>, first: number): Record<string, unknown> {
  const numbered = (value: unknown) =>
    /^\d{5,7}$/.test(String(value)) && Number(value) >= first && Number(value) < first + 50
      ? Number(value) - first
      : value;
  const isNumbered = (column: string) => ['line', 'payment', 'number'].includes(column);
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      isNumbered(column) ? numbered(value) : value,
    ]),
  );
}
