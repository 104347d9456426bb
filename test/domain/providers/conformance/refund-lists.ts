import type { PaidPayment } from '../../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../../domain/providers/port/provider.ts';
import type { ProviderRefund, WantedRefund } from '../../../../domain/providers/port/refund.ts';

const options = { timeoutMs: 2_000 };

/** The refunds of a payment, also where the provider lists only those of the whole account. */
export async function refundsOf(provider: Provider, payment: PaidPayment) {
  if (provider.listRefunds) return provider.listRefunds(payment, options);
  const refunds: ProviderRefund[] = [];
  for (let page = 1, hasMore = true; hasMore; page++) {
    const read = await provider.listAccountRefunds!({ from: payment.capturedAt, page }, options);
    for (const { providerRefundId, providerPaymentId, refundId } of read.rows) {
      if (providerPaymentId !== payment.providerPaymentId) continue;
      const wanted = { refundId: refundId ?? '', providerRefundId, payment };
      refunds.push((await provider.findRefund(wanted, options))!);
    }
    hasMore = read.hasMore ?? read.rows.length > 0;
  }
  return refunds;
}

/** A refund by the provider's id or, where that is not known, by ours. */
export async function findRefund(provider: Provider, wanted: WantedRefund) {
  if (provider.listRefunds || wanted.providerRefundId !== null)
    return provider.findRefund(wanted, options);
  const refunds = await refundsOf(provider, wanted.payment);
  return refunds.find(({ refundId }) => refundId === wanted.refundId);
}
