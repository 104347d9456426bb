import {
  each,
  isLookedUp,
  isPaid,
  type JoinedCapture,
  type JoinedPayment,
  type JoinedRecords,
  mayBeReversedFirst,
  type Rule,
  sumOf,
} from './findings.ts';

export const paymentRules = {
  chargesAreThere: ({ orders, charges }) =>
    each(
      orders,
      'lost_charges',
      ({ reference }) =>
        reference !== undefined &&
        !charges.has(reference) &&
        `${reference} was accepted and is not listed`,
    ),

  /** A customer asks once, however often the request is sent. */
  chargesAreThereOnce: ({ transactions }) =>
    each(
      Map.groupBy(transactions, ({ email }) => email).values(),
      'duplicate_charges',
      (same) =>
        same.length > 1 && `one order: ${same.map(({ reference }) => reference).join(', ')}`,
    ),

  paymentsAreKnown: ({ payments }) => [
    ...each(
      payments,
      'lost_payments',
      ({ capture, reference, id }) => !capture && `${reference} (${id}) was paid and is not known`,
    ),
    ...each(
      payments,
      'wrong_state',
      ({ capture, reference, paidKobo }) =>
        capture &&
        capture.amountKobo !== paidKobo &&
        `${reference} was ${paidKobo}, not ${capture.amountKobo}`,
    ),
  ],

  /** Of a charge's payments one is kept; another goes back, or a person or answer is awaited. */
  onePaymentIsKept: (records) => [
    ...each(
      records.applied,
      'duplicate_provider_charges',
      ([reference, kept]) => kept.length > 1 && `${reference} keeps two payments`,
    ),
    ...each(records.captures, 'lost_refunds', (capture) => notSentBack(capture, records)),
  ],

  statesFollowFromPayments: ({ transactions, applied, wrongFigures }) => [
    ...each(
      transactions,
      'wrong_state',
      (charge) =>
        applied.has(charge.reference) !== isPaid(charge) &&
        `${charge.reference} is ${charge.status}, paid: ${applied.has(charge.reference)}`,
    ),
    ...each(
      transactions,
      'stuck',
      ({ reference, status }) => status === 'initiated' && `${reference} can be paid nowhere`,
    ),
    ...each(wrongFigures, 'wrong_state', (what) => what),
  ],

  nothingIsSentAgain: ({ resentAfterAccept }) =>
    each(
      Array.from({ length: resentAfterAccept }),
      'duplicate_provider_charges',
      () => 'a reference was sent again after it was accepted',
    ),

  /** Too little pays no charge, and a person is asked about what is too much. */
  wrongAmountsAreReviewed: ({ captures, charges }) =>
    each(captures, 'wrong_state', (capture) => {
      const { chargeReference: reference, status, amountKobo, isReviewed } = capture;
      const excessKobo = amountKobo - (charges.get(reference)?.amountKobo ?? amountKobo);
      if (status !== 'applied' || excessKobo === 0) return false;
      if (excessKobo < 0) return `${reference} is paid by too little`;
      const isSettled = isReviewed || mayBeReversedFirst(capture);
      return !isSettled && `${reference}: nobody is asked about ${excessKobo} too much`;
    }),

  /** A charge shows what became of its money at the provider, where the service must know it. */
  returnsAreKnown: ({ payments, charges }) =>
    each(payments, 'wrong_state', (payment) => {
      const { capture } = payment;
      const wanted = capture?.status === 'applied' && statusAfter(capture, payment);
      if (!wanted) return false;
      const status = charges.get(capture.chargeReference)?.status;
      return (
        status !== wanted &&
        `${capture.chargeReference} is ${status}, its money at the provider: ${wanted}`
      );
    }),
} satisfies Record<string, Rule>;

function notSentBack(capture: JoinedCapture, records: JoinedRecords): string | false {
  const { status, isReviewed, payment, refunds, amountKobo, attemptReference } = capture;
  if (status === 'applied' || isReviewed) return false;
  const made = records.providerRefunds.filter(
    (refund) => refund.paymentId === payment?.id && refund.status === 'completed',
  );
  if (sumOf(made) === amountKobo) return false;
  if (refunds.some((refund) => isLookedUp(refund, records))) return false;
  const statuses = refunds.map((refund) => refund.status).join(', ') || 'none';
  return `${attemptReference}: a second payment is not sent back, its refund is: ${statuses}`;
}

/** Recording follows asking within this, processes that are stopped meanwhile included. */
const RECORDED_WITHIN_MS = 60_000;

/** Undefined: as ever, or no notification of it arrived. */
function statusAfter(
  { recordedAtMs }: JoinedCapture,
  { takenKobo, dispute, isReturnTold, returnedAtMs }: JoinedPayment,
): string | undefined {
  const isSeen = returnedAtMs !== null && recordedAtMs > returnedAtMs + RECORDED_WITHIN_MS;
  if (takenKobo > 0) return isReturnTold || isSeen ? 'refunded' : undefined;
  if (!dispute || !isReturnTold) return undefined;
  return { open: 'disputed', won: 'succeeded', lost: 'refunded' }[dispute];
}
