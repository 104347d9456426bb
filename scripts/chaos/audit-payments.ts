import {
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
  *chargesAreThere({ orders, charges }) {
    for (const { reference } of orders)
      if (reference !== undefined && !charges.has(reference))
        yield ['lost_charges', `${reference} was accepted and is not listed`];
  },

  /** A customer asks once, however often the request is sent. */
  *chargesAreThereOnce({ transactions }) {
    for (const same of Map.groupBy(transactions, ({ email }) => email).values()) {
      const references = same.map(({ reference }) => reference).join(', ');
      if (same.length > 1) yield ['duplicate_charges', `one order: ${references}`];
    }
  },

  *paymentsAreKnown({ payments }) {
    for (const { capture, reference, id, paidKobo } of payments)
      if (!capture) yield ['lost_payments', `${reference} (${id}) was paid and is not known`];
      else if (capture.amountKobo !== paidKobo)
        yield ['wrong_state', `${reference} was ${paidKobo}, not ${capture.amountKobo}`];
  },

  /** Of a charge's payments one is kept; another goes back, or a person or answer is awaited. */
  *onePaymentIsKept(records) {
    for (const [reference, kept] of records.applied)
      if (kept.length > 1) yield ['duplicate_provider_charges', `${reference} keeps two payments`];
    for (const capture of records.captures) {
      const statuses = capture.refunds.map(({ status }) => status).join(', ') || 'none';
      const what = `a second payment is not sent back, its refund is: ${statuses}`;
      if (!isSettled(capture, records))
        yield ['lost_refunds', `${capture.attemptReference}: ${what}`];
    }
  },

  *statesFollowFromPayments({ transactions, applied, wrongFigures }) {
    for (const charge of transactions) {
      const { reference, status } = charge;
      const hasPaid = applied.has(reference);
      if (hasPaid !== isPaid(charge))
        yield ['wrong_state', `${reference} is ${status}, paid: ${hasPaid}`];
      if (status === 'initiated') yield ['stuck', `${reference} can be paid nowhere`];
    }
    for (const what of wrongFigures) yield ['wrong_state', what];
  },

  *nothingIsSentAgain({ resentAfterAccept }) {
    const what = 'a reference was sent again after it was accepted';
    for (let n = 0; n < resentAfterAccept; n++) yield ['duplicate_provider_charges', what];
  },

  /** Too little pays no charge, and a person is asked about what is too much. */
  *wrongAmountsAreReviewed({ captures, charges }) {
    for (const capture of captures) {
      const { chargeReference: reference, status, amountKobo, isReviewed } = capture;
      const excessKobo = amountKobo - (charges.get(reference)?.amountKobo ?? amountKobo);
      if (status !== 'applied') continue;
      if (excessKobo < 0) yield ['wrong_state', `${reference} is paid by too little`];
      if (excessKobo > 0 && !isReviewed && !mayBeReversedFirst(capture))
        yield ['wrong_state', `${reference}: nobody is asked about ${excessKobo} too much`];
    }
  },

  /** A charge shows what became of its money at the provider, where the service must know it. */
  *returnsAreKnown({ payments, charges }) {
    for (const payment of payments) {
      const { capture } = payment;
      if (capture?.status !== 'applied') continue;
      const wanted = statusAfter(capture, payment);
      const { chargeReference: reference } = capture;
      const status = charges.get(reference)?.status;
      if (wanted && status !== wanted)
        yield ['wrong_state', `${reference} is ${status}, its money at the provider: ${wanted}`];
    }
  },
} satisfies Record<string, Rule>;

/** Whether nothing of a payment must go back any more, or somebody is still at it. */
function isSettled(capture: JoinedCapture, records: JoinedRecords): boolean {
  const { status, isReviewed, payment, refunds, amountKobo } = capture;
  if (status === 'applied' || isReviewed) return true;
  const made = records.providerRefunds.filter(
    (refund) => refund.paymentId === payment?.id && refund.status === 'completed',
  );
  return sumOf(made) === amountKobo || refunds.some((refund) => isLookedUp(refund, records));
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
