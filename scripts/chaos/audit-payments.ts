import { isLookedUp } from './audit-refunds.ts';
import { type Finding, found } from './findings.ts';
import { isOf } from './payment-of.ts';
import type { ChaosRecords } from './records.ts';

export function chargesAreThere({ orders, transactions }: ChaosRecords): Finding[] {
  const known = new Set(transactions.map(({ reference }) => reference));
  return orders
    .filter(({ reference }) => reference !== undefined && !known.has(reference))
    .map(({ reference }) => found('lost_charges', `${reference} was accepted and is not listed`));
}

/** A customer asks once, however often the request is sent. */
export function chargesAreThereOnce({ transactions }: ChaosRecords): Finding[] {
  const byCustomer = Map.groupBy(transactions, ({ email }) => email);
  return [...byCustomer.values()]
    .filter((charges) => charges.length > 1)
    .map((charges) => found('duplicate_charges', `one order: ${referencesOf(charges)}`));
}

export function paymentsAreKnown({ payments, captures }: ChaosRecords): Finding[] {
  return payments.flatMap((payment) => {
    const name = `${payment.reference} (${payment.id})`;
    const capture = captures.find((each) => isOf(each, payment));
    if (!capture) return [found('lost_payments', `${name} was paid and is not known`)];
    return capture.amountKobo === payment.paidKobo
      ? []
      : [found('wrong_state', `${name} was ${payment.paidKobo}, not ${capture.amountKobo}`)];
  });
}

/**
 * Of the payments of a charge one is kept; any other goes back or waits for a person, or its refund
 * is looked up.
 */
export function onePaymentIsKept(records: ChaosRecords): Finding[] {
  const { captures, payments, providerRefunds, knownRefunds } = records;
  const applied = captures.filter(({ status }) => status === 'applied');
  const byCharge = Map.groupBy(applied, ({ chargeReference }) => chargeReference);
  const keptTwice = [...byCharge]
    .filter(([, kept]) => kept.length > 1)
    .map(([reference]) => found('duplicate_provider_charges', `${reference} keeps two payments`));
  const notReturned = captures
    .filter(({ status, isReviewed }) => status !== 'applied' && !isReviewed)
    .flatMap((capture) => {
      const payment = payments.find((each) => isOf(capture, each));
      const returnedKobo = providerRefunds
        .filter(({ paymentId, status }) => paymentId === payment?.id && status === 'completed')
        .reduce((sum, { amountKobo }) => sum + amountKobo, 0);
      if (returnedKobo === capture.amountKobo) return [];
      const refunds = knownRefunds.filter(({ captureId }) => captureId === capture.id);
      if (refunds.some((refund) => isLookedUp(refund, providerRefunds))) return [];
      const statuses = refunds.map(({ status }) => status).join(', ') || 'none';
      const text = `a second payment is not sent back, its refund is: ${statuses}`;
      return [found('lost_refunds', `${capture.attemptReference}: ${text}`)];
    });
  return [...keptTwice, ...notReturned];
}

export function statesFollowFromPayments({
  transactions,
  captures,
  wrongFigures,
}: ChaosRecords): Finding[] {
  const paid = new Set(
    captures.filter(({ status }) => status === 'applied').map((capture) => capture.chargeReference),
  );
  const wrong = transactions
    .filter(({ reference, status }) => paid.has(reference) !== isPaid(status))
    .map(({ reference, status }) =>
      found('wrong_state', `${reference} is ${status}, paid: ${paid.has(reference)}`),
    );
  const unpayable = transactions
    .filter(({ status }) => status === 'initiated')
    .map(({ reference }) => found('stuck', `${reference} can be paid nowhere`));
  return [...wrong, ...unpayable, ...wrongFigures.map((what) => found('wrong_state', what))];
}

export function nothingIsSentAgain({ resentAfterAccept }: ChaosRecords): Finding[] {
  return Array.from({ length: resentAfterAccept }, () =>
    found('duplicate_provider_charges', 'a reference was sent again after it was accepted'),
  );
}

function referencesOf(charges: readonly { reference: string }[]): string {
  return charges.map(({ reference }) => reference).join(', ');
}

const paidStatuses: readonly string[] = ['succeeded', 'settled', 'refunded', 'disputed'];

export function isPaid(status: string): boolean {
  return paidStatuses.includes(status);
}
