import { countBy, type Finding, found } from './findings.ts';
import type { ChaosRecords, KnownRefund, ProviderRefund } from './records.ts';

/**
 * What a merchant asked for, and what a provider has finished, is final here, or with a person; or
 * it is looked up for hours, because it got no answer and may still arrive at the provider.
 */
export function refundsAreFinal({
  refunds,
  knownRefunds,
  providerRefunds,
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
  const invented = knownRefunds
    .filter(({ id, status }) => status === 'completed' && !made.has(id))
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
  const { payments, providerRefunds, transactions, knownRefunds } = records;
  const overpaid = payments.flatMap(({ id, paidKobo, reference }) => {
    const backKobo = providerRefunds
      .filter(({ paymentId, status }) => paymentId === id && status !== 'failed')
      .reduce((sum, { amountKobo }) => sum + amountKobo, 0);
    return backKobo > paidKobo
      ? [found('refund_overpaid', `${reference}: ${backKobo} of ${paidKobo} went back`)]
      : [];
  });
  const completed = knownRefunds.filter(
    ({ status, origin }) => status === 'completed' && origin !== 'system',
  );
  const byCharge = Map.groupBy(completed, ({ chargeReference }) => chargeReference);
  const wrong = transactions.flatMap(({ reference, refundedKobo }) => {
    const refunds = byCharge.get(reference) ?? [];
    const sum = refunds.reduce((total, { amountKobo }) => total + amountKobo, 0);
    return sum === refundedKobo
      ? []
      : [found('wrong_state', `${reference}: ${refundedKobo} refunded, its refunds are ${sum}`)];
  });
  return [...overpaid, ...wrong];
}
