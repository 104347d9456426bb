import { type Finding, found } from './findings.ts';
import { isOf } from './payment-of.ts';
import type { ChaosRecords, KnownCapture, ProviderPayment } from './records.ts';

/** Too little pays no charge, and a person is asked about what is too much. */
export function wrongAmountsAreReviewed({
  transactions,
  captures,
  payments,
}: ChaosRecords): Finding[] {
  const asked = new Map(transactions.map(({ reference, amountKobo }) => [reference, amountKobo]));
  return captures.flatMap((capture) => {
    const { chargeReference: reference, status, amountKobo, isReviewed } = capture;
    const excessKobo = amountKobo - (asked.get(reference) ?? amountKobo);
    const isTaken = payments.some(
      (each) => isOf(capture, each) && mayBeReversedFirst(capture, each),
    );
    if (status !== 'applied' || excessKobo === 0) return [];
    if (excessKobo < 0) return [found('wrong_state', `${reference} is paid by too little`)];
    return isReviewed || isTaken
      ? []
      : [found('wrong_state', `${reference}: nobody is asked about ${excessKobo} too much`)];
  });
}

/** A charge shows what became of its money at the provider, where the service must know it. */
export function returnsAreKnown({ transactions, captures, payments }: ChaosRecords): Finding[] {
  const statuses = new Map(transactions.map(({ reference, status }) => [reference, status]));
  return payments.flatMap((payment) => {
    const capture = captures.find((each) => each.status === 'applied' && isOf(each, payment));
    const wanted = capture && statusAfter(capture, payment);
    if (!wanted) return [];
    const status = statuses.get(capture.chargeReference);
    const text = `${capture.chargeReference} is ${status}, its money at the provider: ${wanted}`;
    return status === wanted ? [] : [found('wrong_state', text)];
  });
}

/** Recording follows asking within this, processes that are stopped meanwhile included. */
const RECORDED_WITHIN_MS = 60_000;
const CLOCKS_MS = 5_000;

/** Undefined: as ever, or no notification of it arrived. */
function statusAfter(
  { recordedAtMs }: KnownCapture,
  { takenKobo, dispute, isReturnTold, returnedAtMs }: ProviderPayment,
): string | undefined {
  const isSeen = returnedAtMs !== null && recordedAtMs > returnedAtMs + RECORDED_WITHIN_MS;
  if (takenKobo > 0) return isReturnTold || isSeen ? 'refunded' : undefined;
  if (!dispute || !isReturnTold) return undefined;
  return { open: 'disputed', won: 'succeeded', lost: 'refunded' }[dispute];
}

/**
 * Whether all of a payment may have been gone when it was first heard of, so that nobody should
 * deliver.
 */
export function mayBeReversedFirst(
  { recordedAtMs }: KnownCapture,
  { takenKobo, lostKobo, paidKobo, returnedAtMs }: ProviderPayment,
): boolean {
  const isGone = takenKobo + lostKobo >= paidKobo;
  return isGone && returnedAtMs !== null && recordedAtMs >= returnedAtMs - CLOCKS_MS;
}
