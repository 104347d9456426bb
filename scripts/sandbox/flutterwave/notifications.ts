import type { Provider, Signer } from '../context.ts';
import type { Channel } from '../records.ts';
import { toldRefund } from './refunds.ts';
import { metaOf, toldTransaction } from './transaction-shape.ts';

const eventType: Record<Channel, string> = {
  ...{ card: 'CARD_TRANSACTION', bank_transfer: 'BANK_TRANSFER_TRANSACTION' },
  ...{ ussd: 'USSD_TRANSACTION', qr: 'NQR_TRANSACTION' },
  ...{ mobile_money: 'MOBILEMONEYNG_TRANSACTION', other: 'ACCOUNT_TRANSACTION' },
};

export const notifications: Provider['notifications'] = {
  /** `charge.completed`, for an attempt that failed as for one that paid. */
  payment: (account, payment) => ({
    event: 'charge.completed',
    data: toldTransaction(account, payment),
    meta_data: metaOf(payment),
    'event.type': eventType[payment.channel ?? 'other'],
  }),

  /** Flat and without an event, and only to accounts that had it switched on. */
  refund: (account, payment, refund) =>
    account.notifiesRefunds && refund.status !== 'processing'
      ? toldRefund(account, payment, refund)
      : undefined,
};

/** No signature: the merchant's secret hash itself, whatever the body. */
export function sign({ credentials }: Signer): Record<string, string> {
  return { 'verif-hash': credentials.secret_hash! };
}
