import { accountOf } from '../accounts.ts';
import type { Payment } from '../records.ts';
import type { World } from '../world.ts';

/** A payment as the control side shows it, whatever its provider. */
export async function summarise(world: World, payment: Payment): Promise<object> {
  const { provider, id: accountId } = await accountOf(world.sql, payment);
  return {
    provider,
    account_id: accountId,
    id: payment.id,
    provider_payment_id: world.providers[provider].paymentName?.(payment) ?? String(payment.id),
    reference: payment.reference,
    status: payment.status,
    requested_kobo: payment.requestedKobo,
    paid_kobo: payment.paidKobo,
    fee_kobo: payment.feeKobo,
    reversed_kobo: payment.reversedKobo,
    channel: payment.channel,
    settlement_id: payment.settlementId,
    checkout_url: `${world.url}/${provider}/checkout/${payment.accessCode}`,
    created_at: payment.createdAt,
    paid_at: payment.paidAt,
    link_expires_at: payment.linkExpiresAt,
  };
}
