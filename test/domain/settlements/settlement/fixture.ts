import { createFactRecorder } from '../../../../config/database/fact-recorder.ts';
import { findConnection } from '../../../../domain/accounts/connection/connection.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import type {
  ListedPayment,
  ProviderCapture,
  Verification,
} from '../../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import type {
  ProviderSettlement,
  SettlementLine,
} from '../../../../domain/providers/port/settlement.ts';
import { capabilitiesOf } from '../../../../domain/settlements/account/account.ts';
import type { DiscrepancyRow } from '../../../../domain/settlements/discrepancy/row.ts';
import {
  type AuditResult,
  auditPayments,
} from '../../../../domain/settlements/payment-audit/audit.ts';
import type { AuditContext } from '../../../../domain/settlements/payment-audit/context.ts';
import type { RunResult } from '../../../../domain/settlements/settlement/context.ts';
import { reconcile } from '../../../../domain/settlements/settlement/reconcile.ts';
import { DAY } from '../../../support/clock.ts';
import { noSettlements } from '../../../support/no-settlements.ts';
import type { Ledger } from '../../ledger.ts';
import { absent, openCharge, paid, recordNotice } from '../../notices.ts';

export interface Payout extends ProviderSettlement {
  lines: SettlementLine[];
}

type Call = 'listSettlements' | 'listLines' | 'findSettlement' | 'listPayments' | 'verify';

export type PayOptions = Partial<ProviderCapture> & { isRecorded?: boolean };

export interface FixturePayment {
  chargeId: string;
  attempt: AttemptRow;
  capture: ProviderCapture;
}

export type SettlementFixture = Awaited<ReturnType<typeof openSettlementFixture>>;

export function lineOf({ capture }: FixturePayment, overrides: Partial<SettlementLine> = {}) {
  const { providerPaymentId, reference, amountKobo, feeKobo } = capture;
  return { providerPaymentId, reference, amountKobo, feeKobo, ...overrides };
}

/** A connection whose provider is two lists, of payments and payouts, reconciled by the real rules. */
export async function openSettlementFixture(ledger: Ledger) {
  const account = (await findConnection(ledger.db, ledger.connections[0]!))!;
  let made = 0;
  const pageOf = <Row>(rows: Row[], cursor: string | null, size: number) => {
    const first = Number(cursor ?? 0);
    return {
      rows: rows.slice(first, first + size),
      next: first + size < rows.length ? String(first + size) : null,
    };
  };
  const answer = async <Value>(call: Call, asked: string | null, value: () => Value) => {
    fixture.calls.push(`${call} ${asked}`);
    const error = fixture.failing.get(call);
    if (error) throw error;
    const answered = value();
    await fixture.onAnswer(call, asked);
    return answered;
  };
  const stated = (payout: Payout): Payout =>
    payout.state === 'landed' &&
    fixture.unclear.get(payout.providerSettlementId) === 'its statement'
      ? { ...payout, state: 'unclear', amountKobo: null, deductionsKobo: null, unclear: 'odd' }
      : payout;
  const provider = {
    ...noSettlements,
    listSettlements: ({ from, to, cursor }) =>
      answer('listSettlements', cursor, () => {
        const listed = capabilitiesOf(account).settlements === 'list' ? fixture.payouts : [];
        const within = listed.filter(
          ({ dueOn }) =>
            Date.parse(dueOn!) >= from.getTime() - DAY && Date.parse(dueOn!) <= to.getTime() + DAY,
        );
        return pageOf(within.map(stated), cursor, 2);
      }),
    listLines: ({ providerSettlementId, cursor }) =>
      answer('listLines', `${providerSettlementId} ${cursor}`, () => {
        if (fixture.unreadable.has(providerSettlementId))
          throw new ProviderError('unknown', 'test', 'a line without an amount');
        const { lines } = fixture.payouts.find(
          (payout) => payout.providerSettlementId === providerSettlementId,
        )!;
        const odd =
          fixture.unclear.get(providerSettlementId) === 'our line' ? ourFirst(lines) : undefined;
        const stated = lines.map((line) => (line === odd ? { ...line, ...unclearLine } : line));
        return pageOf(stated, cursor, fixture.linesPerPage);
      }),
    findSettlement: (paymentId) =>
      answer('findSettlement', paymentId, () =>
        fixture.payouts.find(({ lines }) =>
          lines.some(({ providerPaymentId }) => providerPaymentId === paymentId),
        ),
      ),
    listPayments: ({ cursor }) =>
      answer('listPayments', cursor, () => pageOf(fixture.payments.map(listed), cursor, 2)),
    verify: (reference) =>
      answer('verify', reference, () =>
        verificationOf(fixture.payments.filter((payment) => payment.reference === reference)),
      ),
  } as Partial<Provider> as Provider;

  const { inTx } = ledger;
  const fixture = {
    payouts: [] as Payout[],
    payments: [] as ProviderCapture[],
    linesPerPage: 3,
    /** What the provider was asked, and about what or from which cursor on. */
    calls: [] as string[],
    /** Called before each answer arrives, which what it throws replaces. */
    onAnswer: (_call: Call, _asked: string | null): unknown => undefined,
    /** What the next calls throw. */
    failing: new Map<Call, Error>(),
    unreadable: new Set<string>(),
    /** Payouts of which the provider states no clear amount: of the first line of ours, or in all. */
    unclear: new Map<string, 'our line' | 'its statement'>(),
    context: {
      ...{ db: ledger.db, clock: ledger.clock, account, provider, timeoutMs: 1_000 },
      askTimes: { callMs: 1_000, verificationMs: 1_000, totalMs: 1_000 },
      ...{ hasTime: () => true, inTx, recordFact: createFactRecorder(inTx) },
    } as AuditContext,
    /** A charge of ₦5,000 that was paid, at a fee of ₦175. `isRecorded: false`: not on record yet. */
    async pay({ isRecorded = true, ...overrides }: PayOptions = {}): Promise<FixturePayment> {
      const { id: chargeId, attempt } = await openCharge(ledger);
      const verified = paid(attempt, { capturedAt: ledger.clock(), ...overrides });
      const [capture] = (verified as { verification: Verification }).verification.captures;
      fixture.payments.push(capture!);
      const payment = { chargeId, attempt, capture: capture! };
      if (isRecorded) await fixture.verify(payment);
      return payment;
    },
    async verify({ attempt, capture }: FixturePayment): Promise<void> {
      await recordNotice(ledger, attempt.id, paid(attempt, capture));
    },
    /** A payout of these payments that landed today with what its lines less its deductions add up to. */
    payOut(given: (FixturePayment | SettlementLine)[], fields: Partial<ProviderSettlement> = {}) {
      const lines = given.map((line) => ('capture' in line ? lineOf(line) : line));
      const netKobo = lines.reduce(
        (sum, { amountKobo, feeKobo }) => sum + amountKobo - (feeKobo ?? 0),
        0,
      );
      const payout: Payout = {
        ...{ providerSettlementId: `payout-${++made}`, state: 'landed', status: 'success' },
        ...{ deductionsKobo: 0, bank: null },
        amountKobo: netKobo - (fields.deductionsKobo ?? 0),
        ...{ dueOn: ledger.clock().toISOString().slice(0, 10), landedAt: ledger.clock(), lines },
        ...fields,
      };
      fixture.payouts.push(payout);
      return payout;
    },
    reconcile(): Promise<RunResult> {
      const now = ledger.clock().getTime();
      return reconcile(fixture.context, {
        from: new Date(now - 14 * DAY),
        to: new Date(now + 7 * DAY),
      });
    },
    audit(): Promise<AuditResult> {
      const now = ledger.clock().getTime();
      return auditPayments(fixture.context, {
        from: new Date(now - 3 * DAY),
        to: new Date(now),
        cursor: null,
        isListed: false,
      });
    },
    discrepancies: (status = 'open') =>
      ledger.rows<DiscrepancyRow & { subject: string }>(
        'select * from discrepancies where connection_id = $1 and status = $2 order by id',
        account.id,
        status,
      ),
    settlements: () =>
      ledger.rows('select * from settlements where connection_id = $1 order by id', account.id),
    charge: ({ chargeId }: FixturePayment) => ledger.charge(chargeId),
  };
  return fixture;
}

export const unclearLine = { amountKobo: 0, feeKobo: null, unclear: 'it is not in naira' };

export function ourFirst(lines: readonly SettlementLine[]): SettlementLine | undefined {
  return lines.find(({ reference }) => reference.startsWith('SV-'));
}

function verificationOf(captures: ProviderCapture[]): Verification {
  const { verification } = absent as { verification: Verification };
  return captures.length === 0
    ? verification
    : { ...verification, state: 'paid', status: 'success', captures };
}

function listed(payment: ProviderCapture): ListedPayment {
  const { providerPaymentId, reference, amountKobo, capturedAt, isReversed = false } = payment;
  return { providerPaymentId, reference, amountKobo, isPaid: true, isReversed, at: capturedAt };
}
