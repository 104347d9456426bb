import type {
  ChaosRecords,
  KnownCapture,
  KnownRefund,
  ProviderPayment,
  SeenTransaction,
} from './records.ts';

/** What must not happen, each counted by itself. */
export const countNames = [
  'lost_charges',
  'duplicate_charges',
  'lost_payments',
  'duplicate_provider_charges',
  'lost_events',
  'duplicate_events',
  'lost_refunds',
  'refund_overpaid',
  'wrong_state',
  'books_wrong',
  'stuck',
] as const;
export type CountName = (typeof countNames)[number];

export type Finding = { count: CountName; what: string };

export function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Records with what belongs together. */
export type JoinedRecords = ReturnType<typeof joined>;
export type JoinedCapture = JoinedRecords['captures'][number];
export type JoinedPayment = JoinedRecords['payments'][number];

/** Yields what is wrong, and what it counts as. */
export type Rule = (records: JoinedRecords) => Iterable<readonly [CountName, what: string]>;

export function joined(records: ChaosRecords) {
  const attemptOf = (connectionId: string, reference: string) => `${connectionId} ${reference}`;
  const payments = Map.groupBy(records.payments, ({ connectionId, reference }) =>
    attemptOf(connectionId, reference),
  );
  const knownRefunds = Map.groupBy(records.knownRefunds, ({ captureId }) => captureId);
  const captures = records.captures.map((capture) => ({
    ...capture,
    payment: payments
      .get(attemptOf(capture.connectionId, capture.attemptReference))
      ?.find((payment) => isOf(capture, payment)),
    refunds: knownRefunds.get(capture.id) ?? [],
  }));
  const captured = Map.groupBy(captures, ({ connectionId, attemptReference }) =>
    attemptOf(connectionId, attemptReference),
  );
  const providerRefunds = Map.groupBy(records.providerRefunds, ({ paymentId }) => paymentId);
  return {
    ...records,
    captures,
    payments: records.payments.map((payment) => ({
      ...payment,
      capture: captured
        .get(attemptOf(payment.connectionId, payment.reference))
        ?.find((capture) => isOf(capture, payment)),
      refunds: providerRefunds.get(payment.id) ?? [],
    })),
    charges: new Map(records.transactions.map((charge) => [charge.reference, charge])),
    applied: Map.groupBy(
      captures.filter(({ status }) => status === 'applied'),
      ({ chargeReference }) => chargeReference,
    ),
  };
}

/** Whether a capture of a payment's attempt is of it: told by its id where tries share one. */
function isOf(capture: KnownCapture, payment: ProviderPayment): boolean {
  return payment.isAlone || capture.providerPaymentId === String(payment.id);
}

export function sumOf(rows: readonly { amountKobo: number }[]): number {
  return rows.reduce((sum, { amountKobo }) => sum + amountKobo, 0);
}

const paidStatuses: readonly string[] = ['succeeded', 'settled', 'refunded', 'disputed'];

export const isPaid = ({ status }: SeenTransaction): boolean => paidStatuses.includes(status);

const CLOCKS_MS = 5_000;

/** Whether all of it may have been gone when first heard of, so that nobody should deliver. */
export function mayBeReversedFirst({ recordedAtMs, payment }: JoinedCapture): boolean {
  if (!payment || payment.returnedAtMs === null) return false;
  const isGone = payment.takenKobo + payment.lostKobo >= payment.paidKobo;
  return isGone && recordedAtMs >= payment.returnedAtMs - CLOCKS_MS;
}

/** It got no answer, and may still arrive at the provider, which has none of it. */
export function isLookedUp(
  { id, status }: KnownRefund,
  { providerRefunds }: Pick<ChaosRecords, 'providerRefunds'>,
): boolean {
  return status === 'unconfirmed' && providerRefunds.every(({ refundId }) => refundId !== id);
}
