import { countBy, isLookedUp, type Rule, sumOf } from './findings.ts';

export const refundRules = {
  /** A refund is final, with a person, or looked up for hours because it got no answer. */
  *refundsAreFinal(records) {
    const { refunds, knownRefunds, providerRefunds, captures } = records;
    const byId = new Map(knownRefunds.map((refund) => [refund.id, refund]));
    const finished = providerRefunds.filter(({ status }) => /^(completed|failed)$/.test(status));
    const made = new Set(
      finished.filter(({ status }) => status === 'completed').map(({ refundId }) => refundId),
    );
    // The provider's own reversal is recorded as a refund.
    const takenKobo = new Map(captures.map(({ id, payment }) => [id, payment?.takenKobo]));
    for (const { id, isApproved } of refunds) {
      const refund = byId.get(id);
      const isOver =
        !refund ||
        /^(completed|failed|cancelled)$/.test(refund.status) ||
        refund.needsAttention ||
        isLookedUp(refund, records);
      if (!refund) yield ['lost_refunds', `${id} was accepted and is not there`];
      if (isApproved && !isOver) yield ['lost_refunds', `${id} is ${refund.status}`];
    }
    for (const { refundId, status } of finished) {
      const known = byId.get(refundId ?? '')?.status;
      const name = refundId ?? 'a refund of nobody';
      if (known !== status)
        yield ['lost_refunds', `${name} is ${status} at the provider and ${known} here`];
    }
    for (const { id, status, captureId, amountKobo } of knownRefunds)
      if (status === 'completed' && !made.has(id) && amountKobo !== takenKobo.get(captureId))
        yield ['wrong_state', `${id} is completed, and no provider made it`];
  },

  *refundsAreMadeOnce({ providerRefunds }) {
    for (const [id, count] of countBy(providerRefunds.flatMap(({ refundId }) => refundId ?? [])))
      if (count > 1) yield ['refund_overpaid', `${id} was sent ${count} times`];
  },

  /** No more goes back than was paid, and a charge shows what went back of it. */
  *refundsAddUp({ payments, captures, transactions, knownRefunds, applied }) {
    for (const { refunds, reference, takenKobo, lostKobo, paidKobo } of payments) {
      const made = refunds.filter(({ status }) => status !== 'failed');
      const backKobo = sumOf(made) + takenKobo + lostKobo;
      if (backKobo > paidKobo)
        yield ['refund_overpaid', `${reference}: ${backKobo} of ${paidKobo} went back`];
    }
    for (const { refunds, amountKobo, lostKobo, attemptReference } of captures) {
      const backKobo = sumOf(refunds.filter(({ status }) => status === 'completed')) + lostKobo;
      const what = `${backKobo} of ${amountKobo} are recorded as sent back`;
      if (backKobo > amountKobo) yield ['refund_overpaid', `${attemptReference}: ${what}`];
    }
    for (const { reference, refundedKobo, amountKobo: askedKobo } of transactions) {
      const lost = applied.get(reference)?.find(({ lostKobo }) => lostKobo > 0);
      const completed = knownRefunds.filter(
        ({ chargeReference, status, origin }) =>
          chargeReference === reference && status === 'completed' && origin !== 'system',
      );
      // A charge shows no more than was asked, and all of it once a dispute is lost.
      const sum = Math.min(askedKobo, lost?.amountKobo ?? sumOf(completed));
      if (sum !== refundedKobo)
        yield ['wrong_state', `${reference}: ${refundedKobo} refunded, its refunds are ${sum}`];
    }
  },
} satisfies Record<string, Rule>;
