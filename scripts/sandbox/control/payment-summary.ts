import type { SandboxContext } from '../context.ts';
import type { Account, Payment } from '../records.ts';

/** A payment as the control side shows it, whatever its provider. */
export function summarise(
  context: SandboxContext,
  { provider, id: accountId }: Account,
  payment: Payment,
): object {
  return {
    provider,
    account_id: accountId,
    id: payment.id,
    provider_payment_id: context.providers[provider].paymentName?.(payment) ?? String(payment.id),
    reference: payment.reference,
    status: payment.status,
    requested_kobo: payment.requestedKobo,
    paid_kobo: payment.paidKobo,
    fee_kobo: payment.feeKobo,
    reversed_kobo: payment.reversedKobo,
    channel: payment.channel,
    settlement_id: payment.settlementId,
    checkout_url: `${context.url}/${provider}/checkout/${payment.accessCode}`,
    created_at: payment.createdAt,
    paid_at: payment.paidAt,
    link_expires_at: payment.linkExpiresAt,
  };
}
