import { countBy, type Finding, found } from './findings.ts';
import { isOf } from './payment-of.ts';
import type { ChaosRecords, KnownRefund, ProviderRefund } from './records.ts';

/**
 * What a merchant asked for, and what a provider has finished, is final here, or with a person; or
 * it is looked up for hours, because it got no answer and may still arrive at the provider.
 */
export function refundsAreFinal({
  refunds,
  knownRefunds,
  providerRefunds,
  captures,
  payments,
}: ChaosRecords): Finding[] {
  const byId = new Map(knownRefunds.map((refund) => [refund.id, refund]));
  const open = refunds.flatMap(({ id, isApproved }) => {
    const refund = byId.get(id);
    if (!refund) return [found('lost_refunds', `${id} was accepted and is not there`)];
    const isOver =
      /^(completed|failed|cancelled)$/.test(refund.status) ||
      refund.needsAttention ||
      isLookedUp(refund, providerRefunds);
    return isApproved && !isOver ? [found('lost_refunds', `${id} is ${refund.status}`)] : [];
  });
  const different = providerRefunds
    .filter(({ status }) => status === 'completed' || status === 'failed')
    .flatMap(({ refundId, status }) => {
      const known = refundId ? byId.get(refundId)?.status : undefined;
      const name = refundId ?? 'a refund of nobody';
      return known === status
        ? []
        : [found('lost_refunds', `${name} is ${status} at the provider and ${known} here`)];
    });
  const made = new Set(
    providerRefunds.filter(({ status }) => status === 'completed').map(({ refundId }) => refundId),
  );
  // What the provider took back by itself is recorded as a refund.
  const taken = new Map(
    captures.map((capture) => [
      capture.id,
      payments.find((payment) => isOf(capture, payment))?.takenKobo,
    ]),
  );
  const invented = knownRefunds
    .filter(({ id, status }) => status === 'completed' && !made.has(id))
    .filter(({ captureId, amountKobo }) => amountKobo !== taken.get(captureId))
    .map(({ id }) => found('wrong_state', `${id} is completed, and no provider made it`));
  return [...open, ...different, ...invented];
}

/** It got no answer, and may still arrive at the provider, which has none of it. */
export function isLookedUp(
  { id, status }: KnownRefund,
  providerRefunds: readonly ProviderRefund[],
): boolean {
  return status === 'unconfirmed' && providerRefunds.every(({ refundId }) => refundId !== id);
}

export function refundsAreMadeOnce({ providerRefunds }: ChaosRecords): Finding[] {
  const counts = countBy(providerRefunds.flatMap(({ refundId }) => refundId ?? []));
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => found('refund_overpaid', `${id} was sent ${count} times`));
}

/** No more goes back than was paid, and a charge shows what went back of it. */
export function refundsAddUp(records: ChaosRecords): Finding[] {
  const { payments, captures, providerRefunds, transactions, knownRefunds } = records;
  const overpaid = payments.flatMap(({ id, paidKobo, reference, takenKobo, lostKobo }) => {
    const refunds = providerRefunds.filter(
      ({ paymentId, status }) => paymentId === id && status !== 'failed',
    );
    const backKobo = sumOf(refunds) + takenKobo + lostKobo;
    return backKobo > paidKobo
      ? [found('refund_overpaid', `${reference}: ${backKobo} of ${paidKobo} went back`)]
      : [];
  });
  const recorded = captures.flatMap(({ id, amountKobo, attemptReference, lostKobo }) => {
    const refunds = knownRefunds.filter(
      ({ captureId, status }) => captureId === id && status === 'completed',
    );
    const backKobo = sumOf(refunds) + lostKobo;
    const text = `${attemptReference}: ${backKobo} of ${amountKobo} are recorded as sent back`;
    return backKobo > amountKobo ? [found('refund_overpaid', text)] : [];
  });
  const lost = new Map(
    captures
      .filter(({ status, lostKobo }) => status === 'applied' && lostKobo > 0)
      .map(({ chargeReference, amountKobo }) => [chargeReference, amountKobo]),
  );
  const completed = knownRefunds.filter(
    ({ status, origin }) => status === 'completed' && origin !== 'system',
  );
  const byCharge = Map.groupBy(completed, ({ chargeReference }) => chargeReference);
  const wrong = transactions.flatMap(({ reference, refundedKobo, amountKobo: askedKobo }) => {
    // A charge shows no more than was asked, and all of it once a dispute is lost.
    const backKobo = lost.get(reference) ?? sumOf(byCharge.get(reference) ?? []);
    const sum = Math.min(askedKobo, backKobo);
    return sum === refundedKobo
      ? []
      : [found('wrong_state', `${reference}: ${refundedKobo} refunded, its refunds are ${sum}`)];
  });
  return [...overpaid, ...recorded, ...wrong];
}

function sumOf(rows: readonly { amountKobo: number }[]): number {
  return rows.reduce((sum, { amountKobo }) => sum + amountKobo, 0);
}
