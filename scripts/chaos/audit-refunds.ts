import { countBy, each, isLookedUp, type Rule, sumOf } from './findings.ts';

export const refundRules = {
  /** A refund is final, with a person, or looked up for hours because it got no answer. */
  refundsAreFinal(records) {
    const { refunds, knownRefunds, providerRefunds, captures } = records;
    const byId = new Map(knownRefunds.map((refund) => [refund.id, refund]));
    const finished = providerRefunds.filter(({ status }) => /^(completed|failed)$/.test(status));
    const made = new Set(
      finished.filter(({ status }) => status === 'completed').map(({ refundId }) => refundId),
    );
    // The provider's own reversal is recorded as a refund.
    const takenKobo = new Map(captures.map(({ id, payment }) => [id, payment?.takenKobo]));
    return [
      ...each(refunds, 'lost_refunds', ({ id, isApproved }) => {
        const refund = byId.get(id);
        if (!refund) return `${id} was accepted and is not there`;
        const isOver =
          /^(completed|failed|cancelled)$/.test(refund.status) ||
          refund.needsAttention ||
          isLookedUp(refund, records);
        return isApproved && !isOver && `${id} is ${refund.status}`;
      }),
      ...each(finished, 'lost_refunds', ({ refundId, status }) => {
        const known = byId.get(refundId ?? '')?.status;
        const name = refundId ?? 'a refund of nobody';
        return known !== status && `${name} is ${status} at the provider and ${known} here`;
      }),
      ...each(
        knownRefunds,
        'wrong_state',
        ({ id, status, captureId, amountKobo }) =>
          status === 'completed' &&
          !made.has(id) &&
          amountKobo !== takenKobo.get(captureId) &&
          `${id} is completed, and no provider made it`,
      ),
    ];
  },

  refundsAreMadeOnce: ({ providerRefunds }) =>
    each(
      countBy(providerRefunds.flatMap(({ refundId }) => refundId ?? [])),
      'refund_overpaid',
      ([id, count]) => count > 1 && `${id} was sent ${count} times`,
    ),

  /** No more goes back than was paid, and a charge shows what went back of it. */
  refundsAddUp: ({ payments, captures, transactions, knownRefunds, applied }) => [
    ...each(payments, 'refund_overpaid', ({ refunds, reference, ...payment }) => {
      const made = refunds.filter(({ status }) => status !== 'failed');
      const backKobo = sumOf(made) + payment.takenKobo + payment.lostKobo;
      const { paidKobo } = payment;
      return backKobo > paidKobo && `${reference}: ${backKobo} of ${paidKobo} went back`;
    }),
    ...each(captures, 'refund_overpaid', ({ refunds, amountKobo, lostKobo, ...capture }) => {
      const backKobo = sumOf(refunds.filter(({ status }) => status === 'completed')) + lostKobo;
      const text = `${backKobo} of ${amountKobo} are recorded as sent back`;
      return backKobo > amountKobo && `${capture.attemptReference}: ${text}`;
    }),
    ...each(transactions, 'wrong_state', ({ reference, refundedKobo, amountKobo: askedKobo }) => {
      const lost = applied.get(reference)?.find(({ lostKobo }) => lostKobo > 0);
      const completed = knownRefunds.filter(
        ({ chargeReference, status, origin }) =>
          chargeReference === reference && status === 'completed' && origin !== 'system',
      );
      // A charge shows no more than was asked, and all of it once a dispute is lost.
      const sum = Math.min(askedKobo, lost?.amountKobo ?? sumOf(completed));
      return (
        sum !== refundedKobo && `${reference}: ${refundedKobo} refunded, its refunds are ${sum}`
      );
    }),
  ],
} satisfies Record<string, Rule>;
