import { percentile } from '../bench/figures.ts';
import type { ChaosRecords } from './records.ts';

export type PastFault = { kind: string; target: string; beganAtMs: number; endedAtMs: number };

/** Payments so long after a fault still meet what it left behind. */
const AFTERMATH_MS = 3_000;
/** A provider's first try, and the second one a second later. */
const IN_TIME_MS = 2_000;

/** Recovery: from the payment, or the end of the fault if later, to the webhook; at least 0. */
export function recoveriesOf(
  faults: readonly PastFault[],
  { payments, captures, received }: Pick<ChaosRecords, 'payments' | 'captures' | 'received'>,
) {
  const announced = received.filter(({ type }) => type === 'charge.succeeded');
  // The first arrival of each counts: it is set last.
  const announcedAtMs = new Map(announced.toReversed().map(({ subject, atMs }) => [subject, atMs]));
  const applied = new Map(
    captures
      .filter(({ status }) => status === 'applied')
      .map((capture) => [`${capture.connectionId} ${capture.attemptReference}`, capture]),
  );
  const times = payments.flatMap((payment) => {
    const fault = faults.findLast(
      ({ beganAtMs, endedAtMs }) =>
        payment.paidAtMs >= beganAtMs && payment.paidAtMs < endedAtMs + AFTERMATH_MS,
    );
    const capture = applied.get(`${payment.connectionId} ${payment.reference}`);
    const isKept = payment.isAlone || capture?.providerPaymentId === String(payment.id);
    const atMs = capture && announcedAtMs.get(capture.chargeReference);
    if (!fault || !isKept || atMs === undefined) return [];
    const fromMs = Math.max(payment.paidAtMs, fault.endedAtMs);
    const isNotified = payment.notifiedAtMs !== null && payment.notifiedAtMs - fromMs <= IN_TIME_MS;
    return { isNotified, ms: Math.max(0, Math.round(atMs - fromMs)) };
  });
  const msOf = (wanted: boolean) =>
    times.filter(({ isNotified }) => isNotified === wanted).map(({ ms }) => ms);
  const [notified, unnotified] = [msOf(true), msOf(false)];
  return {
    payments: notified.length,
    recovery_p50_ms: percentileOf(notified, 50),
    recovery_p99_ms: percentileOf(notified, 99),
    /** Payments whose notification was dropped, or found the service away. */
    unnotified_payments: unnotified.length,
    unnotified_recovery_p99_ms: percentileOf(unnotified, 99),
  };
}

function percentileOf(times: readonly number[], percent: number): number | null {
  return times.length === 0 ? null : Math.round(percentile(times, percent));
}
